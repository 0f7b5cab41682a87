import JSON
import Shared

/// Lets through what a browser may ask the gateway: views of its own sessions.
struct RequestFilter {
    /// What becomes of a message.
    enum Outcome: Equatable {
        /// This line goes to the gateway, without its LF.
        case forward([UInt8])
        /// The browser gets this answer.
        case answer([UInt8])
        /// Nothing: it asked for nothing.
        case nothing
    }

    /// The browser's session for a catalog, or for none.
    let session: (_ catalog: [UInt8]?) -> String
    private let parser = JSONParser(depthMax: Limits.nestingLevelsMax)

    init(session: @escaping (_ catalog: [UInt8]?) -> String) { self.session = session }

    /// Methods that name a session, or a subscription of their connection; and those that name a subscription only.
    private static let ofSessions: Set<String> = ["view.get", "view.send", "view.subscribe"]
    private static let ofSubscriptions: Set<String> = ["view.resize", "view.scroll", "view.unsubscribe"]

    /// Judges one message.
    func callAsFunction(_ message: [UInt8]) -> Outcome {
        let root: JSONValue
        do {
            root = try parser.parse(message).root
        } catch {
            return refuse(Message.nullId, RPCError(.parseError, "A message is one line of strict JSON."))
        }
        guard root.kind != .array else {
            return refuse(
                Message.nullId, RPCError(.invalidRequest, "Batches don't pass here: send one by one."))
        }
        switch Message(root) {
        case .request(let id, let method, let params):
            do throws(RPCError) {
                return .forward(try request(id, method, params))
            } catch {
                return refuse(id, error)
            }
        case .invalid(let id, let error): return refuse(id, error)
        // A notification can't be answered, and none of these methods does anything but answer.
        case .notification, .response: return .nothing
        }
    }

    /// The request as the gateway gets it: with the browser's own session, whether it named one or not.
    private func request(
        _ id: ArraySlice<UInt8>, _ method: String, _ params: JSONValue?
    ) throws(RPCError) -> [UInt8] {
        let isOfSession = Self.ofSessions.contains(method)
        guard isOfSession || Self.ofSubscriptions.contains(method) else {
            guard method.hasPrefix("view.") else {
                throw RPCError(.permissionDenied, "Only methods of views pass here.")
            }
            throw RPCError(.methodNotFound, "There is no method \"\(method)\".")
        }
        let members = params.map { Array($0.members) } ?? []
        let own = session(params?["catalog"]?.stringBytes.map(Array.init))
        for member in members where member.isNamed("session") {
            guard
                member.value.isNull || member.value.string.map({ Identifier($0) == Identifier(own) }) == true
            else {
                throw RPCError(
                    .permissionDenied, "A browser has its own session: leave it out.", path: "/session")
            }
        }
        var json = JSONWriter(capacity: 512)
        json.object { json in
            json.member("jsonrpc", "2.0")
            json.member("id", raw: id)
            json.member("method", method)
            json.object("params") { json in
                for member in members where !member.isNamed("session") {
                    json.key(member.name)
                    json.value(member.value)
                }
                // One that is of a subscription is of that one's session; asking for another subscription never is.
                let isOfSubscription = params?["subscription"].map { !$0.isNull } ?? false
                if isOfSession, !isOfSubscription || method == "view.subscribe" {
                    json.member("session", own)
                }
            }
        }
        // Between tokens a message may have line ends, which would make several lines of it.
        return json.bytes.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
    }

    private func refuse(_ id: ArraySlice<UInt8>, _ error: RPCError) -> Outcome {
        var json = JSONWriter()
        json.object { json in
            json.member("jsonrpc", "2.0")
            json.member("id", raw: id)
            json.key("error")
            error.write(to: &json, service: "web")
        }
        return .answer(json.bytes.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
    }
}
