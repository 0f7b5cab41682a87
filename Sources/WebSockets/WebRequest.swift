import CWebSockets

/// An HTTP request, for as long as it is answered.
@safe public struct WebRequest {
    private let connection: OpaquePointer

    init?(_ connection: OpaquePointer?) {
        guard let connection = unsafe connection else { return nil }
        unsafe self.connection = connection
    }

    /// Whether it is a GET.
    public var isGet: Bool { unsafe CWebSockets_is_get(connection) }
    /// The path, without the query.
    public var path: String? { header(CWebSockets_path) }
    /// The first part of the query, such as `catalog=recipes`; percent-decoded.
    public var query: String? { header(CWebSockets_query) }
    /// The host that was asked for, such as `127.0.0.1:8765`.
    public var host: String? { header(CWebSockets_host) }
    /// The page that asks, such as `http://127.0.0.1:8765`.
    public var origin: String? { header(CWebSockets_origin) }
    /// The cookies, as they were sent.
    public var cookies: String? { header(CWebSockets_cookie) }

    /// Longer ones are as good as missing: nothing that we look at is that long.
    private static let headerBytesMax = 4_096

    private func header(_ which: Int) -> String? {
        var bytes = [CChar](repeating: 0, count: Self.headerBytesMax)
        let count = unsafe CWebSockets_header(connection, Int32(which), &bytes, Int32(bytes.count))
        guard count > 0 else { return nil }
        return String(validating: bytes[..<Int(count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func send(_ response: WebResponse) {
        unsafe CWebSockets_answer(
            connection, UInt32(response.status), WebResponse.bytes(of: response.headers), response.body,
            response.body.count)
    }
}

/// What a request is answered.
public struct WebResponse: Equatable {
    /// A header; its name in small letters.
    public typealias Header = (name: String, value: String)

    /// The HTTP status.
    public let status: Int
    /// The headers beside those of every answer and `content-length`.
    public let headers: [Header]
    /// The content.
    public let body: [UInt8]

    /// Makes an answer.
    public init(status: Int, headers: [Header], body: [UInt8]) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// Headers as the C side takes them.
    static func bytes(of headers: [Header]) -> [CChar] {
        headers.flatMap { Array("\($0.name):".utf8CString) + Array($0.value.utf8CString) } + [0]
    }

    /// Whether both would be the same bytes on the wire.
    public static func == (one: WebResponse, other: WebResponse) -> Bool {
        one.status == other.status && one.body == other.body
            && one.headers.elementsEqual(other.headers) { $0 == $1 }
    }
}
