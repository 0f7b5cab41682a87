import Glibc
import JSON
import TestSupport
import Testing

@testable import Shared
@testable import UV

/// Who may connect, and with which mode the socket stands there.
@Suite struct TrustTests {
    private func peer(_ user: UInt32, _ group: UInt32 = 500) -> Pipe.Peer {
        Pipe.Peer(process: 7, user: user, group: group)
    }

    @Test func withoutOptionsOnlyTheOwnerAndRootMayConnect() {
        let trust = Trust(owner: 1_000, users: [], groups: [])
        #expect(trust.mayConnect(peer(1_000), groups: []))
        #expect(trust.mayConnect(peer(0), groups: []))
        #expect(!trust.mayConnect(peer(1_001), groups: [0, 500, 1_000]))
        #expect(!trust.mayConnect(peer(1_001, 1_000), groups: []))
        #expect(!trust.mayConnect(peer(.max), groups: []))
        #expect(!trust.mayConnect(nil, groups: []))
    }

    @Test func anAllowedUserMayConnectAndTheNextOneMayNot() {
        let trust = Trust(owner: 1_000, users: [1_001, 1_003], groups: [])
        let served = (UInt32(999)...1_004).filter { trust.mayConnect(peer($0), groups: [1_001]) }
        #expect(served == [1_000, 1_001, 1_003])
    }

    @Test func aGroupIsAllowedAsTheFirstOrAFurtherOneOfAPeer() {
        let trust = Trust(owner: 1_000, users: [], groups: [60])
        #expect(trust.mayConnect(peer(1_001, 60), groups: []))
        #expect(trust.mayConnect(peer(1_001), groups: [20, 60]))
        #expect(!trust.mayConnect(peer(60), groups: [20, 61]))
    }

    @Test func furtherGroupsAreAskedForOnlyWhenTheyDecide() {
        var asked = 0
        func groups() -> [UInt32] {
            asked += 1
            return []
        }
        let closed = Trust(owner: 1_000, users: [1_001], groups: [])
        for user: UInt32 in [0, 1_000, 1_001, 1_002] { _ = closed.mayConnect(peer(user), groups: groups()) }
        let open = Trust(owner: 1_000, users: [], groups: [60])
        for user: UInt32 in [0, 1_000] { _ = open.mayConnect(peer(user), groups: groups()) }
        #expect(asked == 0)
        _ = open.mayConnect(peer(1_001), groups: groups())
        #expect(asked == 1)
    }

    @Test func theModeIsNoWiderThanNeeded() {
        func mode(_ users: Set<UInt32>, _ groups: Set<UInt32>) -> UInt32 {
            Trust(owner: 1_000, users: users, groups: groups).socketMode(group: 60)
        }
        #expect(mode([], []) == 0o600)
        #expect(mode([], [60]) == 0o660)
        #expect(mode([], [61]) == 0o666)
        #expect(mode([], [60, 61]) == 0o666)
        #expect(mode([1_001], []) == 0o666)
        #expect(mode([1_001], [60]) == 0o666)
    }

    // MARK: Command line

    @Test func theOptionsMayBeRepeated() throws {
        let arguments = try Arguments(
            ["--allow-uid", "5", "--allow-gid=0", "--allow-uid=6", "--allow-uid", "5"], options: Trust.options
        )
        let trust = try Trust(arguments)
        #expect(trust.owner == getuid())
        #expect(trust.users == [5, 6])
        #expect(trust.groups == [0])
    }

    @Test(arguments: ["", "bob", "-1", "+5", " 5", "5 ", "4294967295", "4294967296", "0x5"])
    func whatIsNoNumberEndsTheStart(text: String) throws {
        for option in ["allow-uid", "allow-gid"] {
            let arguments = try Arguments(["--\(option)=\(text)"], options: Trust.options)
            do throws(StartFailure) {
                _ = try Trust(arguments)
                Issue.record("\(option) \(text) was taken")
            } catch {
                #expect(error.status == .usage)
                #expect(error.message.contains("--\(option)"))
            }
        }
    }

    // MARK: Over a socket

    @Test func theSocketStandsThereWithTheMode() throws {
        let harness = try Harness()
        defer { harness.finish() }
        var status = stat()
        try #require(unsafe stat(harness.directory, &status) == 0)
        let group = getegid()
        let cases: [(Trust, UInt32)] = [
            (Trust(), 0o600), (Trust(owner: getuid(), users: [], groups: [group]), 0o660),
            (Trust(owner: getuid(), users: [], groups: [group &+ 1]), 0o666),
            (Trust(owner: getuid(), users: [1], groups: []), 0o666),
        ]
        for (trust, mode) in cases {
            let path = harness.socket("s")
            let socket = try ListeningSocket(path: path, mode: trust.socketMode)
            defer { socket.release() }
            try #require(unsafe lstat(path, &status) == 0)
            #expect(UInt32(status.st_mode & 0o7777) == mode)
        }
    }

    @Test func theSystemTellsWhoConnectedAndItsGroups() throws {
        let echo = try EchoFixture()
        defer { echo.harness.finish() }
        #expect(try echo.client.call("rpc.ping").count == 0)
        let connection = try #require(echo.server.connections.values.first)
        #expect(connection.peer == Pipe.Peer(process: getpid(), user: getuid(), group: getegid()))
        #expect(connection.pipe.peerGroups == Self.ownGroups)
    }

    /// The supplementary groups of this process.
    private static var ownGroups: [UInt32] {
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = unsafe getgroups(Int32(groups.count), &groups)
        return Array(groups.prefix(Int(max(0, count))))
    }
}
