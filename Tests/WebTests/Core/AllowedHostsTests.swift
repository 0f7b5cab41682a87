import Testing

@testable import Web

/// Under which names the server may be reached, and by whose pages.
@Suite struct AllowedHostsTests {
    private let loopback = AllowedHosts(address: "127.0.0.1", port: 8765, more: ["Columns.example"])

    @Test(arguments: ["127.0.0.1:8765", "localhost:8765", "LOCALHOST:8765", "[::1]:8765", "columns.example"])
    func itsOwnNamesAreAllowed(host: String) {
        #expect(loopback.contains(host: host))
        #expect(loopback.contains(origin: "http://\(host)", host: host))
    }

    @Test(arguments: [
        nil, "", "127.0.0.1", "127.0.0.1:8766", "evil.example:8765", "localhost:8765.evil.example",
        "localhost",
        "columns.example:8765", "127.0.0.1:8765, evil.example", "0.0.0.0:8765",
    ])
    func othersAreNot(host: String?) {
        #expect(!loopback.contains(host: host))
        #expect(!loopback.contains(origin: "http://\(host ?? "")", host: host))
    }

    @Test(arguments: [
        nil, "", "null", "http://evil.example", "http://localhost:8765", "127.0.0.1:8765",
        "http://127.0.0.1:8765/",
        "http://127.0.0.1:8765.evil.example", "file://",
    ])
    func anotherPageMayNotConnect(origin: String?) {
        #expect(!loopback.contains(origin: origin, host: "127.0.0.1:8765"))
    }

    @Test func aProxyMaySpeakTLS() {
        #expect(loopback.contains(origin: "https://columns.example", host: "columns.example"))
    }

    @Test func onPort80TheNameAloneIsEnough() {
        #expect(AllowedHosts(address: "127.0.0.1", port: 80, more: []).contains(host: "localhost"))
    }

    @Test func anAddressOfTheNetworkIsAName() {
        let open = AllowedHosts(address: "192.0.2.1", port: 80, more: [])
        #expect(open.contains(host: "192.0.2.1") && !open.contains(host: "localhost"))
        #expect(
            AllowedHosts(address: "2001:db8::1", port: 8765, more: []).contains(host: "[2001:db8::1]:8765"))
    }
}
