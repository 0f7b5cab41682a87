import Glibc
import Shared
import TestSupport
import Testing

/// Other users of the machine at the gateway's door; only root can be somebody else to test that.
@Suite(.enabled(if: getuid() == 0)) struct TrustTests {
    /// What a user says who connects: one line is sent, all that comes back is printed.
    private static let script = """
        use Socket;
        # Who is refused may find the connection closed when it writes: what was said to it is still there to read.
        $SIG{PIPE} = 'IGNORE';
        socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die "socket: $!";
        connect($s, pack_sockaddr_un($ARGV[0])) or die "connect: $!";
        syswrite($s, qq({"jsonrpc":"2.0","id":1,"method":"rpc.ping"}\\n));
        shutdown($s, 1);
        print while <$s>;
        """

    private func ask(
        _ product: Product, _ socket: String, user: Int, group: Int, groups: String = "--clear-groups"
    ) throws -> Child {
        let child = try product.spawn(
            "/usr/bin/setpriv",
            [
                "--reuid=\(user)", "--regid=\(group)", groups, "/usr/bin/perl", "-e", Self.script, socket,
            ])
        _ = try product.untilEnd(child)
        return child
    }

    /// Starts a gateway in a directory that others can enter.
    private func startGateway(_ product: Product, _ options: [String]) throws -> (
        gateway: Child, socket: String
    ) {
        let directory = "\(product.directory)/open"
        #expect(unsafe chmod(product.directory, 0o711) == 0)
        #expect(unsafe mkdir(directory, 0o711) == 0)
        #expect(unsafe chmod(directory, 0o711) == 0)
        let socket = "\(directory)/gateway.sock"
        let gateway = try product.spawn(
            try Programs.service("gateway"),
            [
                "--socket", socket, "--catalog-socket", product.harness.socket("catalog"),
                "--selection-socket", product.harness.socket("selection"),
            ] + options)
        try product.harness.until("it listens", seconds: 20) { isListening(socket) }
        return (gateway, socket)
    }

    private static let pong = #"{"jsonrpc":"2.0","id":1,"result":{}}"# + "\n"

    @Test func whoIsAllowedIsServedAndOthersAreRefusedAndLogged() throws {
        let product = try Product()
        defer { product.finish() }
        let (gateway, socket) = try startGateway(
            product, ["--allow-uid", "61001", "--allow-uid=61002", "--allow-gid", "61060"])
        #expect(FileStatus(socket)?.permissions == 0o666)
        for user in [61_001, 61_002] {
            #expect(try ask(product, socket, user: user, group: user).output == Self.pong)
        }
        #expect(try ask(product, socket, user: 61_009, group: 61_060).output == Self.pong)
        let further = "--groups=61050,61060"
        #expect(try ask(product, socket, user: 61_009, group: 61_009, groups: further).output == Self.pong)

        #expect(!gateway.errors.contains { $0.contains("connection refused") })
        let stranger = try ask(product, socket, user: 61_003, group: 61_001, groups: "--groups=61002")
        #expect(stranger.output.contains(#""id":null,"error":{"code":-32006"#))
        #expect(stranger.output.contains(#""reason":"permission_denied""#))
        #expect(stranger.output.split(separator: "\n").count == 1)
        let told = gateway.errors.filter { $0.contains("connection refused") }
        #expect(told.count == 1)
        #expect(told.first?.contains(#""pid":\#(stranger.process),"uid":61003"#) == true)
    }

    @Test func withoutOptionsTheModeKeepsOthersOut() throws {
        let product = try Product()
        defer { product.finish() }
        let (_, socket) = try startGateway(product, [])
        #expect(FileStatus(socket)?.permissions == 0o600)
        #expect(try ask(product, socket, user: 61_001, group: 0).output == "")
        // Also a mode that somebody widened by hand lets nobody in.
        #expect(unsafe chmod(socket, 0o666) == 0)
        #expect(try ask(product, socket, user: 61_001, group: 0).output.contains("permission_denied"))
        #expect(try ask(product, socket, user: 0, group: 0).output == Self.pong)
    }

    @Test func aGroupThatHasTheDirectoryHasTheSocket() throws {
        let product = try Product()
        defer { product.finish() }
        let directory = "\(product.directory)/shared"
        #expect(unsafe chmod(product.directory, 0o711) == 0)
        #expect(unsafe mkdir(directory, 0o700) == 0)
        #expect(unsafe chown(directory, 0, 61_060) == 0)
        #expect(unsafe chmod(directory, 0o2750) == 0)
        let socket = "\(directory)/gateway.sock"
        _ = try product.spawn(
            try Programs.service("gateway"), ["--socket", socket, "--allow-gid", "61060"])
        try product.harness.until("it listens", seconds: 20) { isListening(socket) }
        #expect(FileStatus(socket)?.permissions == 0o660)
        #expect(try ask(product, socket, user: 61_001, group: 61_060).output == Self.pong)
        #expect(try ask(product, socket, user: 61_001, group: 61_001).output == "")
    }

    @Test func whatIsNoNumberEndsTheStart() throws {
        let product = try Product()
        defer { product.finish() }
        let child = try product.spawn(try Programs.service("gateway"), ["--allow-uid", "bob"])
        #expect(try product.untilEnd(child) == .exited(StartFailure.Status.usage.rawValue))
        #expect(child.errors.count == 1)
        #expect(child.errors.first?.contains("--allow-uid") == true)
    }
}
