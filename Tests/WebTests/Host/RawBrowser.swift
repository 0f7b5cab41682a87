import Glibc
import TestSupport
import UV

/// What went wrong in a test's hands.
struct Failure: Error, CustomStringConvertible {
    let description: String
}

/// A TCP connection that speaks HTTP and WebSocket as a test wants it, also wrongly.
final class RawBrowser {
    private let harness: Harness
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    /// Whether the other side has closed.
    private(set) var isAtEnd = false
    /// Whether what arrives is taken.
    var isReading = true

    /// Connects to a port of this machine.
    init(_ harness: Harness, port: Int, receiveBytes: Int32? = nil) throws {
        self.harness = harness
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if var receiveBytes {
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBytes, 4)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure(description: "can't connect to port \(port)") }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close() }

    private var isClosed = false

    func close() {
        guard !isClosed else { return }
        isClosed = true
        _ = Glibc.close(descriptor)
    }

    // MARK: HTTP

    /// Sends a request, and gives its answer's status line and headers.
    func ask(_ path: String, host: String, method: String = "GET", more: [String] = [], body: String = "")
        throws -> String
    {
        let lines = ["\(method) \(path) HTTP/1.1", "Host: \(host)"] + more + ["", body]
        write(Array(lines.joined(separator: "\r\n").utf8))
        return try head()
    }

    /// Asks to become a WebSocket, and gives the answer's head.
    func upgrade(
        host: String, origin: String?, cookie: String?, path: String = "/socket", more: [String] = []
    ) throws -> String {
        try ask(
            path, host: host,
            more: [
                "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            ] + (origin.map { ["Origin: \($0)"] } ?? []) + (cookie.map { ["Cookie: \($0)"] } ?? []) + more)
    }

    private func head() throws -> String {
        let end = Array("\r\n\r\n".utf8)
        try harness.until("an answer") {
            take(); return find(end) != nil || isAtEnd
        }
        guard let at = find(end) else { throw Failure(description: "it was closed without an answer") }
        defer { bytes.removeSubrange(..<(at + 4)) }
        return String(decoding: bytes[..<at], as: UTF8.self)
    }

    /// What follows the head, of this many bytes.
    func body(_ count: Int) throws -> String {
        try harness.until("a body") {
            take(); return bytes.count >= count || isAtEnd
        }
        defer { bytes.removeSubrange(..<min(count, bytes.count)) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// All that still comes.
    func rest() throws -> String {
        try harness.until("the end") {
            take(); return isAtEnd
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func find(_ part: [UInt8]) -> Int? {
        guard bytes.count >= part.count else { return nil }
        return (0...bytes.count - part.count).first { Array(bytes[$0..<$0 + part.count]) == part }
    }

    // MARK: WebSocket

    /// One frame: its opcode and content.
    struct Frame: Equatable {
        let opcode: UInt8
        let bytes: [UInt8]
        var text: String { String(decoding: bytes, as: UTF8.self) }
        /// The code of a close frame.
        var closeCode: Int? { opcode == 8 && bytes.count >= 2 ? Int(bytes[0]) << 8 | Int(bytes[1]) : nil }
    }

    /// Sends a frame, masked as a browser's must be; the mask is zero.
    func send(_ text: [UInt8], opcode: UInt8 = 1, isLast: Bool = true) {
        var frame: [UInt8] = [(isLast ? 0x80 : 0) | opcode]
        switch text.count {
        case ..<126: frame.append(0x80 | UInt8(text.count))
        case ..<65_536: frame += [0x80 | 126] + bigEndian(text.count, 2)
        default: frame += [0x80 | 127] + bigEndian(text.count, 8)
        }
        write(frame + [0, 0, 0, 0] + text)
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    private func bigEndian(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// The next frame that is no ping.
    ///
    /// - Throws: `Harness.Failure` if none comes.
    func frame() throws -> Frame {
        while true {
            var found: Frame?
            try harness.until("a frame") {
                take(); found = next(); return found != nil || isAtEnd
            }
            guard let found else { throw Failure(description: "it was closed without a frame") }
            if found.opcode != 9 { return found }
        }
    }

    private func next() -> Frame? {
        guard bytes.count >= 2 else { return nil }
        var (length, start) = (Int(bytes[1] & 0x7F), 2)
        let longer = length == 126 ? 2 : length == 127 ? 8 : 0
        guard bytes.count >= 2 + longer else { return nil }
        if longer > 0 {
            length = bytes[2..<2 + longer].reduce(0) { $0 << 8 | Int($1) }
            start += longer
        }
        guard bytes.count >= start + length else { return nil }
        defer { bytes.removeSubrange(..<(start + length)) }
        return Frame(opcode: bytes[0] & 0xF, bytes: Array(bytes[start..<start + length]))
    }

    /// Waits until the other side has closed.
    func untilEnd(seconds: UInt64 = 10) throws {
        try harness.until("the end", seconds: seconds) {
            take(); bytes = []; return isAtEnd
        }
    }

    // MARK: Bytes

    func write(_ all: [UInt8]) {
        var sent = 0
        for _ in 0..<100_000 where sent < all.count {
            let count = unsafe all[sent...].withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { sent += count } else if errno == EAGAIN { harness.loop.step() } else { return }
        }
    }

    private func take() {
        guard isReading, !isAtEnd else { return }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
            if count > 0 { bytes += chunk[..<count]; continue }
            if count == 0 || errno != EAGAIN { isAtEnd = true }
            return
        }
    }
}
