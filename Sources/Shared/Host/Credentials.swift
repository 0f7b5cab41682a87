import Glibc

/// Who may use the sockets: the user that the service runs as, and root.
enum Credentials {
    static func mayConnect(_ user: UInt32) -> Bool { user == 0 || user == getuid() }
}
