import JSON
import Shared
import UV

extension Command {
    /// `triptych mock`: stands for a service.
    static let mock = Command(
        name: "mock", operands: "SCRIPT --socket PATH",
        summary: "Stands for a service: answers what a contract script says.",
        details: """
            SCRIPT has lines "--> REQUEST" and, below each, "<-- ANSWER" and "<-- EVENT". It runs until
            Ctrl-C or SIGTERM. A request that the script does not have is answered with -32603 and printed
            on standard error; the exit status is then 1.

              triptych mock Tests/Contracts/catalog.ndjson --socket run/catalog.sock
            """,
        options: [.init("socket", value: "PATH", "the socket to serve")]
    ) { arguments throws(StartFailure) in
        let operands = try arguments.operands(1...1, of: "mock SCRIPT --socket PATH")
        guard let path = arguments["socket"] else {
            throw StartFailure(.usage, "--socket is missing: name the socket to serve")
        }
        let script = try readScript(operands[0])
        return try serve(script, at: path)
    }

    private static func readScript(_ path: String) throws(StartFailure) -> ContractScript {
        let text = try ByteSource(file: path).readAll(bytesMax: Limits.catalogFileBytesMax)
        do throws(ContractScript.Failure) {
            return try ContractScript(String(decoding: text, as: UTF8.self))
        } catch {
            throw StartFailure(.data, "\(path): \(error.description)")
        }
    }

    private static func serve(_ script: ContractScript, at path: String) throws(StartFailure) -> Int32 {
        let loop = try Loop.ofProgram()
        let mock: MockService
        do throws(ListeningSocket.Failure) {
            mock = try MockService(script, path: path, loop: loop)
        } catch {
            loop.run()
            throw StartFailure(.cannotCreate, "can't serve \(path): \(describe(error))")
        }
        var signals: [Signal] = []
        var reported = 0
        let turnEnd = TurnEnd(on: loop) {
            for request in mock.unexpected[reported...] {
                StandardError.writeLine("triptych mock: not in the script: \(request)")
            }
            reported = mock.unexpected.count
        }
        func stop() {
            mock.close()
            turnEnd.close()
            for signal in signals { signal.close() }
        }
        do throws(UVError) {
            for number in [Signal.Number.interrupt, .terminate] {
                signals.append(try Signal(number, on: loop) { stop() })
            }
        } catch {
            stop()
            loop.run()
            throw StartFailure(.system, "\(error)")
        }
        loop.run()
        return mock.unexpected.isEmpty ? 0 : 1
    }

    private static func describe(_ failure: ListeningSocket.Failure) -> String {
        switch failure {
        case .pathTooLong: "the path has more than \(ListeningSocket.pathBytesMax) bytes"
        case .taken: "another process serves it; stop that one first"
        case .notASocket: "there is something that is no socket; move it away"
        case .system(let error): "\(error); check the directory"
        }
    }
}
