@testable import UV

/// What the kernel and libuv keep of one pipe of a process.
final class Plug {
    let pipe: Pipe
    /// The connection; nil for a listener, and before there is one.
    var socket: Socket?
    /// Where it listens.
    var path: String?
    /// Connections that wait to be accepted.
    var backlog: [Socket] = []
    /// What the kernel had no room for.
    private var queue: [(bytes: ArraySlice<UInt8>, onWritten: (UVError?) -> Void)] = []
    /// What libuv tells in the next round.
    private var completions: [(error: UVError?, then: (UVError?) -> Void)] = []

    init(_ pipe: Pipe) { self.pipe = pipe }

    var queuedBytes: Int { queue.reduce(0) { $0 + $1.bytes.count } }

    /// Whether the next round has something to do for it.
    var isReady: Bool {
        if !completions.isEmpty || !backlog.isEmpty { return true }
        guard let socket else { return false }
        if pipe.isReading, socket.isReadable { return true }
        return !queue.isEmpty && (socket.room > 0 || socket.isPeerGone)
    }

    func complete(_ error: UVError?, _ then: @escaping (UVError?) -> Void) {
        completions.append((error, then))
    }

    func tellCompletions() {
        let all = completions
        completions = []
        for one in all { one.then(one.error) }
    }

    /// Writes what there is room for at once, and tells so at once; the rest later.
    func write(_ bytes: [UInt8], _ onWritten: @escaping (UVError?) -> Void) {
        guard let socket else { return complete(UVError(-107, "write"), onWritten) }
        var rest = bytes[...]
        if queue.isEmpty {
            guard let taken = socket.write(rest) else { return complete(UVError(-32, "write"), onWritten) }
            if taken == bytes.count { return onWritten(nil) }
            rest = rest.dropFirst(taken)
        }
        queue.append((rest, onWritten))
    }

    /// Goes on with what had no room.
    func flush() {
        while let first = queue.first, let socket {
            guard let taken = socket.write(first.bytes) else {
                let lost = queue
                queue = []
                for one in lost { one.onWritten(UVError(-32, "write")) }
                return
            }
            guard taken == first.bytes.count else {
                queue[0].bytes = first.bytes.dropFirst(taken)
                return
            }
            queue.removeFirst()
            first.onWritten(nil)
        }
    }

    /// Closes what the kernel has of it.
    func cut(_ network: Network) {
        if let path { network.unlisten(path) }
        socket?.close()
        for waiting in backlog { waiting.close() }
        (socket, path, backlog, queue, completions) = (nil, nil, [], [], [])
    }
}
