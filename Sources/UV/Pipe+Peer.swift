import CUV
import Glibc

// Who is at the other end of a connection, and whether it still is.

extension Pipe {
    /// Who is at the other end.
    public struct Peer: Sendable, Equatable {
        /// The process that connected.
        public let process: Int32
        /// The user it ran as.
        public let user: UInt32
        /// The group it ran as.
        public let group: UInt32
    }

    /// Who connected, or nil if the system does not say.
    public var peer: Peer? {
        guard loop.system == nil else { return Peer(process: 1, user: getuid(), group: getgid()) }
        var (process, user, group): (Int32, UInt32, UInt32) = (0, 0, 0)
        guard let descriptor, unsafe CUV_peer_credentials(descriptor, &process, &user, &group) == 0 else {
            return nil
        }
        return Peer(process: process, user: user, group: group)
    }

    /// The supplementary groups of who connected, beside `Peer.group`; none if the system does not say.
    public var peerGroups: [UInt32] {
        guard let descriptor else { return [] }
        var bytes: UInt32 = 0
        // Asked without room it says how much it takes: at most the 65,536 groups that a process can have.
        guard unsafe CUV_peer_groups(descriptor, nil, &bytes) != 0, errno == ERANGE else { return [] }
        var groups = [UInt32](repeating: 0, count: Int(bytes) / MemoryLayout<UInt32>.size)
        guard unsafe CUV_peer_groups(descriptor, &groups, &bytes) == 0 else { return [] }
        return groups
    }

    /// Whether the peer has closed both directions, which libuv does not tell after it told the end.
    public var isPeerGone: Bool {
        if let system = loop.system { return system.isPeerGone(self) }
        guard let descriptor else { return true }
        var poll = pollfd(fd: descriptor, events: 0, revents: 0)
        return unsafe Glibc.poll(&poll, 1, 0) > 0 && poll.revents & Int16(POLLHUP | POLLERR) != 0
    }
}
