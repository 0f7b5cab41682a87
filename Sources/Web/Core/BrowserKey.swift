import WebSockets

/// What tells one browser from another: random bytes in a cookie that no script can read.
///
/// ```
/// triptych=9b1c...f0; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000
/// ```
struct BrowserKey: Equatable {
    static let name = "triptych"
    /// Digits of base 16.
    let text: String

    /// Writes random bytes down.
    init(random bytes: [UInt8]) { text = Self.hexadecimal(bytes) }

    /// Finds the key in the `Cookie` of a request; nil if there is none, or not exactly one of our shape.
    init?(cookies: String?, bytes: Int) {
        let values = (cookies ?? "").split(separator: ";").compactMap { pair -> Substring? in
            let trimmed = pair.drop { $0 == " " }
            return trimmed.hasPrefix(Self.name + "=") ? trimmed.dropFirst(Self.name.utf8.count + 1) : nil
        }
        guard values.count == 1, values[0].utf8.count == 2 * bytes,
            values[0].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        text = String(values[0])
    }

    /// The value of `Set-Cookie`.
    ///
    /// It is no `Secure` one, because this server speaks no TLS.
    func cookie(seconds: Int) -> String {
        "\(Self.name)=\(text); HttpOnly; SameSite=Strict; Path=/; Max-Age=\(seconds)"
    }

    /// The session of this browser for a catalog, or for none.
    ///
    /// Who sees the names of sessions must not be able to make a cookie of one: so it is a digest. A session belongs to
    /// one catalog: so there is one for each.
    func session(catalog: [UInt8]?) -> String {
        "web-" + Self.hexadecimal(Secret.digest(Array(text.utf8) + [0] + (catalog ?? [])).prefix(16))
    }

    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] })
    }
}
