/// One end of a connection: what the kernel knows of a Unix stream socket.
///
/// What is written is at once in the buffer of the other end, whoever runs when; nothing is ever lost or overtaken
/// between two ends that live. An end that is closed takes with it what it has not read, and the other end then reads
/// what had arrived, and after that the end of the stream or an error.
final class Socket {
    /// Bytes that have arrived and were not read.
    private(set) var inbox: [UInt8] = []
    /// Nothing more comes: the other end has said so, or has gone.
    private(set) var isAtEnd = false
    /// The other end has gone.
    private(set) var isPeerGone = false
    /// It went with bytes that it had not read.
    private(set) var isReset = false
    private(set) var isClosed = false
    private weak var peer: Socket?
    private let network: Network

    init(_ network: Network) { self.network = network }

    static func pair(_ network: Network) -> (Socket, Socket) {
        let (one, other) = (Socket(network), Socket(network))
        (one.peer, other.peer) = (other, one)
        return (one, other)
    }

    /// Whether a read would tell something.
    var isReadable: Bool { !inbox.isEmpty || isAtEnd }

    /// How much can be written.
    var room: Int { peer.map { max(0, network.bufferBytes - $0.inbox.count) } ?? 0 }

    /// Writes as much as there is room for; nil if nobody is there any more.
    func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard !isPeerGone, let peer else { return nil }
        let taken = min(bytes.count, room)
        peer.inbox += bytes.prefix(taken)
        network.planted(on: &peer.inbox)
        return taken
    }

    func read() -> [UInt8] {
        defer { inbox = [] }
        return inbox
    }

    /// Says that nothing more is written.
    func shutDown() { peer?.isAtEnd = true }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        if let peer {
            peer.isAtEnd = true
            peer.isPeerGone = true
            peer.isReset = peer.isReset || !inbox.isEmpty
        }
        inbox = []
        peer = nil
    }
}
