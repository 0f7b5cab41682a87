import Glibc
import JSON
import Shared
import UV

/// Many subscribers of a gateway, and somebody who changes things under them.
final class LiveCrowd {
    let loop: Loop
    let connections: [LiveConnection]
    /// Whoever sends events.
    let sender: LiveConnection
    private let tick: Timer
    private var failure: String?

    init(path: String, connections count: Int) throws(StartFailure) {
        loop = try Loop.ofProgram()
        let loop = loop
        tick = Timer(on: loop)
        tick.start(milliseconds: 1, repeating: 1) {}
        connections = (0..<count).map { _ in LiveConnection(path: path, loop: loop) }
        sender = LiveConnection(path: path, loop: loop)
        let all = connections + [sender]
        for connection in all {
            connection.onDown = { [weak self] in self?.failure = "a connection was closed" }
            connection.start()
        }
        try until { all.allSatisfy(\.isUp) }
    }

    func close() {
        for connection in connections + [sender] { connection.close() }
        tick.close()
        loop.run()
    }

    func until(_ condition: () -> Bool) throws(StartFailure) {
        let end = Loop.nanoseconds + 60_000_000_000
        while !condition() {
            if let failure { throw StartFailure(.io, failure) }
            guard Loop.nanoseconds < end else { throw StartFailure(.io, "nothing came within a minute") }
            loop.step()
        }
    }

    /// Calls a method, and waits for its result.
    @discardableResult
    func call(
        _ method: String, _ params: String, on connection: LiveConnection? = nil
    ) throws(StartFailure) -> JSONValue {
        var reply: LiveConnection.Reply?
        (connection ?? sender).call(method, params) { reply = $0 }
        try until { reply != nil }
        guard let value = reply?.value else { throw StartFailure(.io, "\(method): \(reply, default: "")") }
        return value
    }

    /// Subscribes on every connection: `sessions` are those of one connection.
    ///
    /// Returns the subscriptions of each connection.
    func subscribe(
        format: String, sessions: (_ connection: Int) -> [String]
    ) throws(StartFailure) -> [[String]] {
        var all = [[String]](repeating: [], count: connections.count)
        for (number, connection) in connections.enumerated() {
            let names = sessions(number)
            var open = names.count
            for name in names {
                connection.call("view.subscribe", #"{"session":"\#(name)","format":"\#(format)"}"#) {
                    [weak self] reply in
                    open -= 1
                    if let id = reply.value?["subscription"]?.string {
                        all[number].append(id)
                    } else {
                        self?.failure = "a subscription was refused: \(reply)"
                    }
                }
            }
            try until { open == 0 }
        }
        return all
    }

    /// Ends subscriptions.
    func unsubscribe(_ all: [[String]]) throws(StartFailure) {
        for (connection, ids) in zip(connections, all) {
            var open = ids.count
            for id in ids {
                connection.call("view.unsubscribe", #"{"subscription":"\#(id)"}"#) { _ in open -= 1 }
            }
            try until { open == 0 }
        }
    }

    /// The params of an event that changes a session every time: the items of a category in turn.
    static func event(_ session: String, _ number: Int) -> String {
        let width = 200 + number % 100
        return #"{"session":"\#(session)","event":{"type":"setWidth","column":"sidebar","width":\#(width)}}"#
    }

    /// Makes a session with a category selected.
    static func creation(_ session: String) -> String {
        #"{"session":"\#(session)","event":{"type":"select","column":"sidebar","id":"breakfast"}}"#
    }
}

extension ProcessUsage {
    /// Nanoseconds that a process has run for, as the scheduler counts them.
    static func nanoseconds(of process: Int) -> Int {
        guard let file = unsafe fopen("/proc/\(process)/schedstat", "re") else { return 0 }
        defer { _ = unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return Int(String(decoding: bytes[..<count].prefix { $0 != 0x20 }, as: UTF8.self)) ?? 0
    }
}
