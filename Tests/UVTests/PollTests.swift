import Glibc
import Testing
import UV

@Suite struct PollTests {
    private func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    @Test func itTellsOfWhatCanBeReadAndOfTheEnd() throws {
        let loop = try Loop()
        let ends = try makePipe()
        var read: [Int] = []
        var poll: Poll?
        poll = try Poll(descriptor: ends.read, on: loop) {
            var byte: UInt8 = 0
            let count = unsafe Glibc.read(ends.read, &byte, 1)
            read.append(count)
            if count == 1 { _ = Glibc.close(ends.write) } else { poll?.close() }
        }
        _ = unsafe Glibc.write(ends.write, "a", 1)
        loop.run()
        _ = Glibc.close(ends.read)
        #expect(read == [1, 0])
    }

    @Test func theDescriptorIsAsItWasForAllThatShareIt() throws {
        let loop = try Loop()
        let ends = try makePipe()
        let poll = try Poll(descriptor: ends.read, on: loop) {}
        #expect(fcntl(ends.read, F_GETFL, 0) & O_NONBLOCK == 0)
        poll.close()
        loop.run()
        #expect(fcntl(ends.read, F_GETFL, 0) & O_NONBLOCK == 0)
        for end in [ends.read, ends.write] { _ = Glibc.close(end) }
    }

    @Test func aFileIsRefused() throws {
        let loop = try Loop()
        let file = unsafe open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        #expect(throws: UVError.self) { try Poll(descriptor: file, on: loop) {} }
        loop.run()
        _ = Glibc.close(file)
    }
}
