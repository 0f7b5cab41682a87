import JSON
import Shared

extension Command {
    /// `triptych call`: one request, its answer as JSON.
    static let call = Command(
        name: "call", operands: "SOCKET METHOD [PARAMS]",
        summary: "Calls a method of a service and prints the result.",
        details: """
            SOCKET is catalog, selection or gateway, or the path of a socket. PARAMS is a JSON object.
            An error is printed as JSON on standard error, with exit status 1.

              triptych call catalog catalog.list
              triptych call gateway view.get '{"width":800}' --pretty
            """,
        options: [.init("pretty", "indent the result")]
    ) { arguments throws(StartFailure) in
        let operands = try arguments.operands(2...3, of: "call SOCKET METHOD [PARAMS]")
        let params = operands.count == 3 ? try JSONText.object(operands[2], called: "PARAMS") : nil
        let format = arguments.has("pretty") ? JSONText.indented : JSONText.compact
        let (name, path) = arguments.peer(operands[0])
        return try Peer.with(name, path: path) { peer throws(StartFailure) in
            switch peer.call(operands[1], params: { json in JSONText.members(of: params, to: &json) }) {
            case .success(let result):
                StandardOutput.writeLine(format(result))
                return 0
            case .failure(let error):
                var json = JSONWriter()
                error.write(to: &json, service: "triptych")
                StandardError.writeLine(JSONText.reformatted(json.bytes, format))
                return 1
            }
        }
    }
}

extension Arguments {
    /// The name and the socket of what an operand names: a service, or a path.
    fileprivate func peer(_ operand: String) -> (name: String, path: String) {
        ["catalog", "selection", "gateway"].contains(operand)
            ? (operand, socket(of: operand)) : ("service", operand)
    }
}
