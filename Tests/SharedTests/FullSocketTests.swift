import Glibc
import TestSupport
import Testing

@testable import Shared

/// A peer whose socket is full keeps the rest of what it has to say; who has read so much may not take it for all.
@Suite struct FullSocketTests {
    /// Writes of so many bytes, until a socket that takes as little as one of our services' may is full.
    private func filled(with size: Int) throws -> (bytes: Int, writes: Int) {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        // The most that Linux allows to be asked for if nobody has told it otherwise.
        var room: Int32 = 212_992
        try #require(
            unsafe setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size)) == 0
        )
        let line = [UInt8](repeating: 0x61, count: size)
        var (bytes, writes) = (0, 0)
        while writes < 10_000 {
            let taken = unsafe send(ends[0], line, size, Int32(MSG_DONTWAIT))
            guard taken > 0 else { break }
            bytes += taken
            writes += 1
        }
        return (bytes, writes)
    }

    @Test(arguments: [
        37, 60, 191, 192, 193, 448, 704, 705, 1_000, 1_728, 1_729, 3_000, 3_700, 4_100, 5_000, 9_000, 30_000,
        60_000,
    ])
    func whatFillsASocketIsNeverTakenForAll(_ size: Int) throws {
        let (bytes, writes) = try filled(with: size)
        #expect(writes < 10_000, "the socket was never full")
        // A line in each write is the least.
        #expect(!Client.isSurelyAll(bytes: bytes, lines: writes), "\(bytes) bytes in \(writes) writes")
    }

    @Test func theAnswersOfABusyTurnAreSurelyAll() {
        #expect(Client.isSurelyAll(bytes: 50 * 700, lines: 50))
        #expect(Client.isSurelyAll(bytes: 20 * 37, lines: 20))
        #expect(!Client.isSurelyAll(bytes: 65_536, lines: 1), "no more was asked for")
    }
}
