import Glibc
import UV

/// Who may connect: the user that the service runs as, root, and who was allowed by the command line.
///
/// The system tells who connected (SO_PEERCRED), so the socket's mode is a second lock and not the first.
public struct Trust: Sendable {
    /// The options of a service that others may be allowed to use.
    public static let options: [Arguments.Option] = [
        .init("allow-uid", value: "UID", "a further user, by number, who may connect; may be repeated"),
        .init("allow-gid", value: "GID", "a group, by number, whose users may connect; may be repeated"),
    ]

    let owner: UInt32
    let users: Set<UInt32>
    let groups: Set<UInt32>

    /// Trusts the user that this process runs as, and root.
    public init() { self.init(owner: getuid(), users: [], groups: []) }

    init(owner: UInt32, users: Set<UInt32>, groups: Set<UInt32>) {
        (self.owner, self.users, self.groups) = (owner, users, groups)
    }

    /// Trusts also whom the command line allows.
    ///
    /// - Throws: `StartFailure` for what is no number of a user or group.
    init(_ arguments: Arguments) throws(StartFailure) {
        self.init(
            owner: getuid(), users: try Self.numbers("allow-uid", arguments),
            groups: try Self.numbers("allow-gid", arguments))
    }

    private static func numbers(
        _ option: String, _ arguments: Arguments
    ) throws(StartFailure) -> Set<UInt32> {
        var all: Set<UInt32> = []
        for text in arguments.all(option) {
            // The largest number means "nobody in particular" to the system.
            guard text.utf8.first != 0x2B, let number = UInt32(text), number != .max else {
                throw StartFailure(
                    .usage,
                    "--\(option) is a number below \(UInt32.max), such as `id` prints: \"\(text)\" is none")
            }
            all.insert(number)
        }
        return all
    }

    /// Whether a peer may use the service; its further groups are asked for only when they decide.
    func mayConnect(_ peer: Pipe.Peer?, groups more: @autoclosure () -> [UInt32]) -> Bool {
        guard let peer else { return false }
        if peer.user == 0 || peer.user == owner || users.contains(peer.user) { return true }
        return !groups.isEmpty && (groups.contains(peer.group) || !groups.isDisjoint(with: more()))
    }

    /// The mode of the socket, to which the system gave `group`.
    ///
    /// The socket's group can be let in as such only if nobody else is allowed; else the mode lets everybody in, and
    /// `mayConnect` alone decides.
    func socketMode(group: UInt32) -> UInt32 {
        if users.isEmpty, groups.isEmpty { return 0o600 }
        return users.isEmpty && groups == [group] ? 0o660 : 0o666
    }

    /// What is said to everybody else.
    var refusal: String {
        users.isEmpty && groups.isEmpty
            ? "This socket serves the user it belongs to, and root."
            : "This socket serves the user it belongs to, root, and those its service allows."
    }
}
