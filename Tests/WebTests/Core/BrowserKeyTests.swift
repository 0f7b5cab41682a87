import Testing

@testable import Web

/// What tells one browser from another.
@Suite struct BrowserKeyTests {
    private let digits = String(repeating: "0f", count: 32)

    @Test func itIsFoundAmongOtherCookies() {
        for cookies in [
            "triptych=\(digits)", "a=b; triptych=\(digits)", "triptych=\(digits);c=",
            "xtriptych=1; triptych=\(digits)",
        ] {
            #expect(BrowserKey(cookies: cookies, bytes: 32)?.text == digits, "\(cookies)")
        }
    }

    @Test func anyOtherShapeIsNone() {
        let wrong = [
            nil, "", "triptych", "triptych=", "triptych=\(digits)0", "triptych=\(digits.dropLast())",
            "Triptych=\(digits)",
            "triptych=\(digits.uppercased())", "triptych=\(digits); triptych=\(digits)",
            "triptych=\"\(digits)\"",
            "triptych=\(digits.dropLast(2))é",
        ]
        for cookies in wrong {
            #expect(BrowserKey(cookies: cookies, bytes: 32) == nil, "\(cookies ?? "nil")")
        }
    }

    @Test func scriptsAndOtherSitesDoNotGetIt() {
        #expect(
            BrowserKey(random: [0x0F, 0xA0]).cookie(seconds: 60)
                == "triptych=0fa0; HttpOnly; SameSite=Strict; Path=/; Max-Age=60")
    }

    @Test func aSessionDoesNotTellTheCookieAndIsOneForEachCatalog() {
        let one = BrowserKey(random: Array(0..<32)), other = BrowserKey(random: Array(1..<33))
        let names = [
            one.session(catalog: nil), one.session(catalog: Array("a".utf8)),
            one.session(catalog: Array("b".utf8)),
            other.session(catalog: nil),
        ]
        #expect(Set(names).count == 4)
        for name in names {
            #expect(name.hasPrefix("web-") && name.utf8.count == 36)
            #expect(!name.contains(one.text.prefix(8)))
        }
        #expect(one.session(catalog: nil) == one.session(catalog: nil))
    }

    /// Its name is the same after an update: the SHA-256 of the cookie, a zero byte and the catalog, from `sha256sum`.
    @Test func aSessionKeepsItsName() {
        let key = BrowserKey(random: [0x0F, 0xA0])
        #expect(key.session(catalog: nil) == "web-3d51fbdf33e3ee1edae79a4f89bb11f0")
        #expect(key.session(catalog: Array("notes".utf8)) == "web-4b5980090b43b391b79cfee466c3b9f3")
    }
}
