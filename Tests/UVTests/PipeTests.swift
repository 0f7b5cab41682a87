import Glibc
import TestSupport
import Testing
import UV

@Suite struct PipeTests {
    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    @Test func whatIsWrittenIsReadAndTheEndIsTold() throws {
        let temporary = try TemporaryDirectory()
        defer { temporary.remove() }
        let directory = temporary.path
        let loop = try Loop()
        let socket = try ListeningSocket(path: "\(directory)/s")
        let listener = Pipe(on: loop)
        var received: [UInt8] = []
        var peer: Pipe.Peer?
        try listener.listen(on: socket) {
            guard let served = try? listener.accept() else { return }
            peer = served.peer
            served.startReading(
                onBytes: { bytes in unsafe bytes.withUnsafeBytes { unsafe received.append(contentsOf: $0) } },
                onEnd: { _ in
                    // The other half is still open: what came is sent back, then both sides close.
                    served.write(received) { error in
                        #expect(error == nil)
                        served.close()
                        listener.close()
                    }
                })
        }
        let client = Pipe(on: loop)
        let sent = [UInt8](repeating: 7, count: 1_000_000)
        var back = 0
        client.connect(to: socket.path) { error in
            #expect(error == nil)
            client.startReading(
                onBytes: { back += $0.byteCount },
                onEnd: { _ in client.close() })
            client.write(sent) { error in
                #expect(error == nil)
                client.shutDownWriting()
            }
        }
        loop.run()
        socket.release()
        #expect(received == sent)
        #expect(back == sent.count)
        #expect(peer?.process == getpid())
        #expect(peer?.user == getuid())
        #expect(peer?.group == getgid())
    }

    @Test func aSocketIsPublishedWithItsModeAndRemovedByItsOwner() throws {
        let temporary = try TemporaryDirectory()
        defer { temporary.remove() }
        let directory = temporary.path
        let socket = try ListeningSocket(path: "\(directory)/s")
        #expect(mode(socket.path) == 0o600)
        discard(socket)
        #expect(mode("\(directory)/s") == nil)
    }

    /// Closes what the socket's pipe would close.
    private func discard(_ socket: ListeningSocket) {
        guard let loop = try? Loop() else { return }
        let pipe = Pipe(on: loop)
        try? pipe.listen(on: socket) {}
        socket.release()
        pipe.close()
        loop.run()
    }

    @Test func aLiveSocketIsNotTakenAndADeadOneIs() throws {
        let temporary = try TemporaryDirectory()
        defer { temporary.remove() }
        let directory = temporary.path
        let path = "\(directory)/s"
        let first = try ListeningSocket(path: path)
        do throws(ListeningSocket.Failure) {
            _ = try ListeningSocket(path: path)
            Issue.record("it was taken")
        } catch {
            guard case .taken(path) = error else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(mode(path) == 0o600)
        discard(first)
        // A process that was killed leaves its socket, but not its lock.
        let dead = try ListeningSocket(path: path)
        _ = unsafe rename(path, path + ".kept")
        discard(dead)
        _ = unsafe rename(path + ".kept", path)
        discard(try ListeningSocket(path: path))
        #expect(mode(path) == nil)
    }

    @Test func aSuccessorsSocketIsNotRemoved() throws {
        let temporary = try TemporaryDirectory()
        defer { temporary.remove() }
        let directory = temporary.path
        let path = "\(directory)/s"
        let first = try ListeningSocket(path: path)
        _ = unsafe unlink(path)
        _ = unsafe unlink(path + ".lock")
        let second = try ListeningSocket(path: path)
        discard(first)
        #expect(mode(path) == 0o600)
        discard(second)
    }

    @Test func aPathHasAtMost107Bytes() throws {
        let temporary = try TemporaryDirectory()
        defer { temporary.remove() }
        let directory = temporary.path
        let room = ListeningSocket.pathBytesMax - directory.utf8.count - 1
        discard(try ListeningSocket(path: "\(directory)/" + String(repeating: "x", count: room)))
        do throws(ListeningSocket.Failure) {
            _ = try ListeningSocket(path: "\(directory)/" + String(repeating: "x", count: room + 1))
            Issue.record("it was taken")
        } catch {
            guard case .pathTooLong = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test func whatIsNoSocketIsLeftAlone() throws {
        let temporary = try TemporaryDirectory()
        defer { temporary.remove() }
        let directory = temporary.path
        let path = "\(directory)/s"
        _ = unsafe fopen(path, "w").map { unsafe fclose($0) }
        do throws(ListeningSocket.Failure) {
            _ = try ListeningSocket(path: path)
            Issue.record("it was taken")
        } catch {
            guard case .notASocket(path) = error else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(mode(path) != nil)
    }

    @Test(arguments: ["missing", String(repeating: "x", count: 200)])
    func connectingToNothingFailsWithTheReason(name: String) throws {
        let loop = try Loop()
        let pipe = Pipe(on: loop)
        var failure: UVError?
        pipe.connect(to: "/tmp/triptych-nowhere/\(name)") { error in
            failure = error
            pipe.close()
        }
        loop.run()
        #expect(failure?.name == (name.utf8.count > 107 ? "ENAMETOOLONG" : "ENOENT"))
    }

    @Test func aPeerThatIsGoneAltogetherIsNoticed() throws {
        let loop = try Loop()
        var ends: [Int32] = [0, 0]
        #expect(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let pipe = Pipe(on: loop)
        try pipe.open(descriptor: ends[0])
        #expect(!pipe.isPeerGone)
        _ = Glibc.shutdown(ends[1], Int32(SHUT_WR))
        #expect(!pipe.isPeerGone)
        _ = Glibc.close(ends[1])
        #expect(pipe.isPeerGone)
        pipe.close()
        loop.run()
    }
}
