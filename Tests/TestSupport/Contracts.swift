import Glibc
import JSON
public import Shared

/// The contract scripts of the repository, `Tests/Contracts/*.ndjson`.
public enum Contracts {
    /// The text of a script, such as `catalog`.
    ///
    /// - Throws: `Harness.Failure` if there is no such file.
    public static func text(_ name: String) throws -> String {
        try Repository.text("Tests/Contracts/\(name).ndjson")
    }

    /// The text of a file.
    ///
    /// - Throws: `Harness.Failure` if it can't be read.
    public static func read(_ path: String) throws -> String {
        guard let file = unsafe fopen(path, "r") else {
            throw Harness.Failure(description: "can't read \(path)")
        }
        defer { _ = unsafe fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe fread(&chunk, 1, chunk.count, file)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
    }

    /// Says the requests of a script to a service, and compares what comes back with the script.
    ///
    /// - Throws: `Harness.Failure` that names the script's line which does not hold.
    public static func replay(_ name: String, on harness: Harness, service: String) throws {
        try replay(ContractScript(text(name)), named: "\(name).ndjson", on: harness, service: service)
    }

    /// Says the requests of a script to a service, and compares what comes back with the script.
    ///
    /// - Throws: `Harness.Failure` that names the script's line which does not hold.
    public static func replay(
        _ script: ContractScript, named name: String, on harness: Harness, service: String
    ) throws {
        var clients: [Int: TestClient] = [:]
        var bindings = Bindings()
        for step in script.steps {
            let client = try clients[step.connection] ?? harness.connect(service)
            clients[step.connection] = client
            if step.isRequest {
                var json = JSONWriter()
                bindings.write(step.message, to: &json)
                client.send(bytes: json.bytes + [0x0A])
                continue
            }
            func fail(_ what: String) -> Harness.Failure {
                Harness.Failure(description: "\(name):\(step.line): \(what)")
            }
            let message: JSONValue
            do { message = try client.message() } catch { throw fail("\(error)") }
            if let difference = bindings.mismatch(step.message, message) { throw fail(difference) }
        }
        harness.settle()
        for (number, client) in clients where client.hasLine {
            throw Harness.Failure(
                description: "\(name): connection \(number) got more: \(try client.line())")
        }
    }
}
