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

    /// The examples of FIPS 180-4, and the lengths around a block's end, from `sha256sum`.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 55),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"
        ),
        (
            String(repeating: "a", count: 64),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"
        ),
    ])
    func theDigestIsSHA256(text: String, digest: String) {
        #expect(BrowserKey.hexadecimal(SHA256.digest(Array(text.utf8))) == digest)
    }
}
