import JSON
import Shared
import TestSupport
import Testing
import UV

@testable import Web

/// The server over real sockets, with a gateway that the test plays.
///
/// One after the other, because libwebsockets has state of its whole process while a context is made.
@Suite(.serialized) struct FrontTests {
    /// A server, a gateway that answers what it is told, and browsers.
    private final class Stage {
        let harness: Harness
        let front: Front
        private(set) var gateway: MockService?
        private var browsers: [RawBrowser] = []
        private var isStopped = false

        init(
            _ script: String?, bounds: Limits.Web = Limits.Web(), sharedSession: String? = nil
        ) throws {
            harness = try Harness()
            if let script { gateway = try harness.mock("gateway", script) }
            front = try Front(
                Front.Settings(
                    gatewayPath: harness.socket("gateway"), sharedSession: sharedSession, bounds: bounds),
                loop: harness.loop, log: Log(service: "web", least: .error))
        }

        var host: String { "127.0.0.1:\(front.port)" }

        func connect(receiveBytes: Int32? = nil) throws -> RawBrowser {
            let browser = try RawBrowser(harness, port: front.port, receiveBytes: receiveBytes)
            browsers.append(browser)
            return browser
        }

        /// The cookie of a new browser.
        func cookie() throws -> String {
            let head = try connect().ask("/app.js", host: host)
            let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("set-cookie: ") }
            return String(try #require(line).dropFirst("set-cookie: ".count).split(separator: ";")[0])
        }

        /// A WebSocket of a browser.
        func open(_ cookie: String? = nil, receiveBytes: Int32? = nil) throws -> RawBrowser {
            let browser = try connect(receiveBytes: receiveBytes)
            let head = try browser.upgrade(
                host: host, origin: "http://\(host)", cookie: try cookie ?? self.cookie())
            guard head.hasPrefix("HTTP/1.1 101 ") else { throw Failure(description: head) }
            return browser
        }

        func stop() throws {
            front.stop { self.isStopped = true }
            try harness.until("it has stopped") { isStopped }
        }

        func finish() {
            for browser in browsers { browser.close() }
            try? stop()
            harness.finish()
        }
    }

    private func session(of cookie: String) -> String {
        BrowserKey(cookies: cookie, bytes: Limits.cookieBytes)?.session(catalog: nil) ?? ""
    }

    private static let get = #"{"jsonrpc":"2.0","id":1,"method":"view.get","params":{}}"#

    // MARK: The page

    @Test func thePageAndItsFilesAreServed() throws {
        let stage = try Stage(nil)
        defer { stage.finish() }
        for (path, type) in [
            ("/", "text/html"), ("/style.css", "text/css"), ("/app.js", "text/javascript"),
            ("/list.js", "text/javascript"),
        ] {
            let head = try stage.connect().ask(path, host: stage.host)
            #expect(head.hasPrefix("HTTP/1.1 200 "), "\(path)")
            #expect(head.contains("content-type: \(type); charset=utf-8"))
            #expect(
                head.contains(
                    "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
                ))
            #expect(
                head.contains("x-content-type-options: nosniff")
                    && head.contains("referrer-policy: no-referrer"))
            // Who comes by a link from elsewhere does not send its cookie with the page: it must not lose it for that.
            #expect(head.contains("set-cookie:") == (path == "/app.js"), "\(path)")
        }
    }

    @Test func everyScriptThatIsImportedIsServed() throws {
        let files = Repository.files(below: "Sources/Web/Page")
        #expect(files.count > 5)
        for path in files where !path.hasSuffix(".html") {
            let name = String(path.split(separator: "/").last ?? "")
            #expect(Page.file("/\(name)")?.bytes == Array(try Repository.text(path).utf8), "\(name)")
        }
        let bytes = try files.map { try Repository.text($0).utf8.count }.reduce(0, +)
        #expect(bytes < 40 * 1_024, "the page has \(bytes) bytes")
    }

    @Test func aBrowserKeepsItsCookie() throws {
        let stage = try Stage(nil)
        defer { stage.finish() }
        let cookie = try stage.cookie()
        let again = try stage.connect().ask("/app.js", host: stage.host, more: ["Cookie: \(cookie)"])
        #expect(again.contains("set-cookie: \(cookie); HttpOnly; SameSite=Strict; Path=/"))
        let forged = try stage.connect().ask("/app.js", host: stage.host, more: ["Cookie: triptych=mine"])
        #expect(forged.contains("set-cookie: triptych=") && !forged.contains("triptych=mine"))
        #expect(try stage.cookie() != cookie)
    }

    @Test func aConnectionServesSeveralRequests() throws {
        let stage = try Stage(nil)
        defer { stage.finish() }
        let browser = try stage.connect()
        for path in ["/nowhere", "/", "/../etc/passwd", "/%2e%2e/x"] {
            let head = try browser.ask(path, host: stage.host)
            #expect(head.hasPrefix(path == "/" ? "HTTP/1.1 200 " : "HTTP/1.1 404 "), "\(path): \(head)")
            let length = try #require(
                head.split(separator: "\r\n").first { $0.hasPrefix("content-length: ") }
                    .flatMap { Int($0.dropFirst("content-length: ".count)) })
            #expect(try browser.body(length).utf8.count == length)
        }
    }

    @Test func otherNamesAndMethodsAreRefused() throws {
        let stage = try Stage(nil)
        defer { stage.finish() }
        for host in ["evil.example", "evil.example:\(stage.front.port)", "127.0.0.1:1"] {
            #expect(try stage.connect().ask("/", host: host).hasPrefix("HTTP/1.1 403 "), "\(host)")
        }
        #expect(
            try stage.connect().ask("/", host: stage.host, method: "POST", more: ["Content-Length: 0"])
                .hasPrefix("HTTP/1.1 405 "))
    }

    /// Also what libwebsockets answers by itself may do nothing in a browser.
    @Test(arguments: ["GET /", "GET /nowhere", "PUT /", "HEAD /", "FOO /", "GET http://elsewhere.example/"])
    func everyAnswerHasThePolicy(request: String) throws {
        let stage = try Stage(nil)
        defer { stage.finish() }
        let words = request.split(separator: " ").map(String.init)
        let head = try stage.connect().ask(words[1], host: stage.host, method: words[0])
        #expect(head.contains("content-security-policy: default-src 'none'"), "\(head)")
        #expect(head.contains("x-content-type-options: nosniff"))
    }

    /// A body could be read as another request, of whoever else uses a proxy's connection.
    @Test(arguments: [
        ("POST", "Content-Length: 47"), ("GET", "Content-Length: 47"), ("GET", "Transfer-Encoding: chunked"),
        ("POST", "Transfer-Encoding: chunked"), ("HEAD", "Accept: */*"),
    ])
    func nothingFollowsARequestWithABody(method: String, header: String) throws {
        let stage = try Stage(nil)
        defer { stage.finish() }
        let browser = try stage.connect()
        let smuggled = "GET /style.css HTTP/1.1\r\nHost: \(stage.host)\r\n\r\n"
        let head = try browser.ask("/", host: stage.host, method: method, more: [header], body: smuggled)
        #expect(head.contains("connection: close"), "\(head)")
        let rest = try browser.rest()
        #expect(!rest.contains("HTTP/1.1"))
        #expect(method != "HEAD" || rest.isEmpty, "an answer to HEAD has no body")
    }

    // MARK: The handshake

    @Test func onlyItsOwnPageMayConnectAndOnlyWithACookie() throws {
        let stage = try Stage("")
        defer { stage.finish() }
        let (host, cookie) = (stage.host, try stage.cookie())
        let wrong: [(host: String, origin: String?, cookie: String?, path: String)] = [
            (
                "evil.example:\(stage.front.port)", "http://evil.example:\(stage.front.port)", cookie,
                "/socket"
            ),
            (host, "http://evil.example", cookie, "/socket"), (host, "null", cookie, "/socket"),
            (host, nil, cookie, "/socket"),
            (host, "http://localhost:\(stage.front.port)", cookie, "/socket"),
            (host, "http://\(host)", nil, "/socket"),
            (host, "http://\(host)", "triptych=x", "/socket"), (host, "http://\(host)", cookie, "/"),
        ]
        for one in wrong {
            let browser = try stage.connect()
            let head = try browser.upgrade(
                host: one.host, origin: one.origin, cookie: one.cookie, path: one.path)
            #expect(head.hasPrefix("HTTP/1.1 40") || head.hasPrefix("HTTP/1.0 40"), "\(one): \(head)")
        }
        _ = try stage.open(cookie)
    }

    @Test func anotherProtocolIsNoUpgrade() throws {
        let stage = try Stage("")
        defer { stage.finish() }
        let browser = try stage.connect()
        let head = try? browser.ask(
            "/", host: stage.host,
            more: [
                "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c",
                "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
            ])
        #expect(head?.contains("101") != true)
    }

    // MARK: Messages

    @Test func viewsOfItsOwnSessionPassAndNothingElse() throws {
        let stage = try Stage(
            """
            --> {"jsonrpc":"2.0","id":1,"method":"view.get","params":{"session":"$session"}}
            <-- {"jsonrpc":"2.0","id":1,"result":{"view":"yours"}}
            """)
        defer { stage.finish() }
        let browser = try stage.open()
        browser.send(#"{"jsonrpc":"2.0","id":5,"method":"view.get","params":{"session":"default"}}"#)
        #expect(try browser.frame().text.contains(#""reason":"permission_denied""#))
        browser.send(#"{"jsonrpc":"2.0","id":6,"method":"catalog.list"}"#)
        #expect(try browser.frame().text.contains(#""id":6,"error":{"code":-32006"#))
        browser.send(#"[]"#)
        #expect(try browser.frame().text.contains(#""code":-32600"#))
        browser.send(#"{"jsonrpc":"2.0","id":7,"method":"view.get"}"#)
        #expect(try browser.frame().text == #"{"jsonrpc":"2.0","id":7,"result":{"view":"yours"}}"#)
    }

    @Test func browsersHaveSessionsOfTheirOwn() throws {
        let stage = try Stage(nil)
        defer { stage.finish() }
        let (one, other) = (try stage.cookie(), try stage.cookie())
        #expect(session(of: one) != session(of: other) && session(of: one) != "")
        _ = try stage.harness.mock(
            "gateway",
            """
            --> {"jsonrpc":"2.0","id":1,"method":"view.get","params":{"session":"\(session(of: one))"}}
            <-- {"jsonrpc":"2.0","id":1,"result":{"view":1}}
            --> {"jsonrpc":"2.0","id":1,"method":"view.get","params":{"session":"\(session(of: other))"}}
            <-- {"jsonrpc":"2.0","id":1,"result":{"view":2}}
            """)
        let (first, second) = (try stage.open(one), try stage.open(other))
        first.send(Self.get)
        #expect(try first.frame().text.contains(#""view":1"#))
        second.send(Self.get)
        #expect(try second.frame().text.contains(#""view":2"#))
    }

    @Test func aSharedSessionIsEverybodys() throws {
        let stage = try Stage(
            """
            --> {"jsonrpc":"2.0","id":1,"method":"view.get","params":{"session":"show"}}
            <-- {"jsonrpc":"2.0","id":1,"result":{"view":1}}
            """, sharedSession: "show")
        defer { stage.finish() }
        let browser = try stage.open()
        browser.send(Self.get)
        #expect(try browser.frame().text.contains(#""view":1"#))
    }

    @Test func aMessageMayComeInPieces() throws {
        let stage = try Stage(
            """
            --> {"jsonrpc":"2.0","id":1,"method":"view.get","params":{"session":"$session"}}
            <-- {"jsonrpc":"2.0","id":1,"result":{"view":1}}
            """)
        defer { stage.finish() }
        let browser = try stage.open()
        let bytes = Array(Self.get.utf8)
        browser.send(Array(bytes[..<10]), isLast: false)
        browser.send(Array(bytes[10..<20]), opcode: 0, isLast: false)
        browser.send(Array(bytes[20...]), opcode: 0)
        #expect(try browser.frame().text.contains(#""view":1"#))
    }

    // MARK: Bounds

    @Test func aMessageHasItsBound() throws {
        let stage = try Stage("")
        defer { stage.finish() }
        let longest = try stage.open()
        longest.send([UInt8](repeating: 0x20, count: Limits.messageBytesMax))
        #expect(try longest.frame().text.contains(#""reason":"parse_error""#))
        longest.send([UInt8](repeating: 0x20, count: Limits.messageBytesMax + 1))
        #expect(try longest.frame().closeCode == 1009)
        let binary = try stage.open()
        binary.send([1, 2, 3], opcode: 2)
        #expect(try binary.frame().closeCode == 1003)
    }

    @Test func aBrowserHasSoManyWindowsAndTheServerToo() throws {
        let stage = try Stage("", bounds: Limits.Web(socketsMax: 3, socketsPerSessionMax: 2))
        defer { stage.finish() }
        let cookie = try stage.cookie()
        let first = try stage.open(cookie)
        _ = try stage.open(cookie)
        #expect(throws: Failure.self) { try stage.open(cookie) }
        _ = try stage.open()
        #expect(throws: Failure.self) { try stage.open() }
        first.close()
        var again: RawBrowser?
        try stage.harness.until("one may come again") {
            again = try? stage.open(cookie)
            return again != nil
        }
    }

    /// Each of many small wrong messages gets an answer that is longer.
    @Test func whoAsksFasterThanItCanBeAnsweredWaits() throws {
        let stage = try Stage("", bounds: Limits.Web(outputBytesPause: 10_000))
        defer { stage.finish() }
        let browser = try stage.open()
        let count = 400
        for _ in 0..<count { browser.send("[]") }
        for _ in 0..<count {
            #expect(try browser.frame().text.contains("invalid_request"))
            #expect(stage.front.queuedBytesMax < 30_000)
        }
    }

    @Test func aSlowBrowserIsCutAndNobodyElseIsHarmed() throws {
        let text = String(repeating: "x", count: 100_000)
        let stage = try Stage(
            """
            --> {"jsonrpc":"2.0","id":1,"method":"view.get","params":{"session":"$any"}}
            <-- {"jsonrpc":"2.0","id":1,"result":{"view":"\(text)"}}
            """, bounds: Limits.Web(outputBytesPause: 100_000, slowMs: 50, lookMs: 10))
        defer { stage.finish() }
        let slow = try stage.open(receiveBytes: 4_096)
        let other = try stage.open()
        slow.isReading = false
        // More than the buffers of the system take.
        for number in 0..<80 { slow.send(#"{"jsonrpc":"2.0","id":\#(number),"method":"view.get"}"#) }
        for number in 0..<5 {
            other.send(#"{"jsonrpc":"2.0","id":\#(number),"method":"view.get"}"#)
            #expect(try other.frame().bytes.count > 100_000)
        }
        #expect(stage.front.browserCount == 2)
        try stage.harness.until("the slow one is cut") { stage.front.browserCount == 1 }
        other.send(Self.get)
        #expect(try other.frame().bytes.count > 100_000)
    }

    // MARK: The end

    @Test func whenTheGatewayGoesThePageIsTold() throws {
        let stage = try Stage("")
        defer { stage.finish() }
        let browser = try stage.open()
        stage.harness.settle()
        stage.gateway?.close()
        #expect(try browser.frame().closeCode == 1013)
        let later = try stage.open()
        #expect(try later.frame().closeCode == 1013)
    }

    @Test func whoStopsSaysGoodBye() throws {
        let stage = try Stage("")
        defer { stage.finish() }
        let browser = try stage.open()
        stage.harness.settle()
        stage.front.stop {}
        #expect(try browser.frame().closeCode == 1001)
    }

    @Test func aPortThatIsTakenIsAFailedStart() throws {
        let stage = try Stage("")
        defer { stage.finish() }
        #expect(throws: StartFailure.self) {
            _ = try Front(
                Front.Settings(port: stage.front.port, gatewayPath: "x"), loop: stage.harness.loop,
                log: Log(service: "web", least: .error))
        }
    }
}
