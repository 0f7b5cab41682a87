import JSON
import Shared
import UV
import WebSockets

/// The server that browsers see: the page, and a WebSocket for each window of it.
final class Front: WebHandler {
    /// How it is set up.
    struct Settings {
        var address = "127.0.0.1"
        var port = 0
        var gatewayPath: String
        /// Hosts beside its own, for a proxy in front.
        var allowedHosts: [String] = []
        /// The session that all browsers see, instead of their own.
        var sharedSession: String?
        var bounds = Limits.Web()
    }

    private let settings: Settings
    private let loop: Loop
    private let log: Log
    private var hosts: AllowedHosts
    private var server: WebServer?
    private var browsers: [ObjectIdentifier: Browser] = [:]
    private let looking: Timer
    private var isStopping = false
    private var onStopped: (() -> Void)?

    /// Listens.
    ///
    /// - Throws: `StartFailure`.
    init(_ settings: Settings, loop: Loop, log: Log) throws(StartFailure) {
        (self.settings, self.loop, self.log) = (settings, loop, log)
        hosts = AllowedHosts(address: settings.address, port: settings.port, more: settings.allowedHosts)
        looking = Timer(on: loop)
        do throws(WebServer.Failure) {
            server = try WebServer(
                address: settings.address, port: settings.port, bounds: Limits.webServer,
                headers: WebResponse.headersOfAll, handler: self, on: loop)
        } catch {
            looking.close()
            throw StartFailure(
                .unavailable,
                "can't listen on \(settings.address) port \(settings.port): stop what listens there, or name another --port (0 is any free one); libwebsockets-evlib-uv must be installed"
            )
        }
        hosts = AllowedHosts(address: settings.address, port: port, more: settings.allowedHosts)
        looking.start(milliseconds: settings.bounds.lookMs, repeating: settings.bounds.lookMs) {
            [weak self] in
            self?.look()
        }
    }

    /// The port that it listens on.
    var port: Int { server?.port ?? settings.port }
    /// Where the page is.
    var url: String {
        "http://\(settings.address.contains(":") ? "[\(settings.address)]" : settings.address):\(port)/"
    }

    /// WebSockets that are open or about to be.
    var browserCount: Int { browsers.count }

    /// The most bytes that wait for one of them.
    var queuedBytesMax: Int { browsers.values.map { $0.socket?.queuedBytes ?? 0 }.max() ?? 0 }

    private func look() {
        for browser in browsers.values { browser.look() }
    }

    /// Says good-bye to all browsers, waits until they have gone or `drainMs` passed, and closes; `then` is told that.
    ///
    /// A second call closes at once.
    func stop(then: @escaping () -> Void) {
        guard !isStopping else {
            stopNow()
            return then()
        }
        isStopping = true
        onStopped = then
        for browser in Array(browsers.values) { browser.stop() }
        looking.start(milliseconds: settings.bounds.drainMs) { [weak self] in self?.stopNow() }
        stopIfAlone()
    }

    private func stopIfAlone() {
        guard isStopping, browsers.isEmpty, !looking.isClosing else { return }
        // Not within a callback of the server, which must not go in there.
        looking.start(milliseconds: 0) { [weak self] in self?.stopNow() }
    }

    private func stopNow() {
        guard !looking.isClosing else { return }
        looking.close()
        server?.close()
        server = nil
        onStopped?()
        onStopped = nil
    }

    // MARK: Requests

    func answer(_ request: WebRequest) -> WebResponse {
        guard hosts.contains(host: request.host) else { return refuse(request, .wrongHost) }
        guard request.isGet else { return .text(405, "Only GET is answered here.") }
        guard let file = Page.file(request.path ?? "") else { return .text(404, "There is no such page.") }
        // Not with the page itself: who comes by a link from elsewhere sends no cookie with that request, though having
        // one, and would get a new one for it.
        guard file.givesCookie else { return .page(file) }
        guard let key = BrowserKey(cookies: request.cookies, bytes: Limits.cookieBytes) ?? newKey() else {
            return .text(503, "The system gives no random numbers.")
        }
        return .page(file, cookie: key.cookie(seconds: Limits.cookieSeconds))
    }

    private func newKey() -> BrowserKey? {
        Secret.random(bytes: Limits.cookieBytes).map { BrowserKey(random: $0) }
    }

    func upgrade(_ request: WebRequest) -> WebUpgrade {
        guard !isStopping else { return .refuse(.text(503, "The server stops.")) }
        guard request.path == Page.socketPath else {
            return .refuse(.text(404, "There is no such WebSocket."))
        }
        guard hosts.contains(host: request.host) else { return .refuse(refuse(request, .wrongHost)) }
        guard hosts.contains(origin: request.origin, host: request.host) else {
            return .refuse(refuse(request, .wrongOrigin))
        }
        guard let key = BrowserKey(cookies: request.cookies, bytes: Limits.cookieBytes) else {
            return .refuse(refuse(request, .noCookie))
        }
        let shared = settings.sharedSession
        let name: ([UInt8]?) -> String = { catalog in
            shared ?? key.session(catalog: catalog)
        }
        let session = key.session(catalog: nil)
        let own = browsers.values.count { $0.session == session }
        guard browsers.count < settings.bounds.socketsMax, own < settings.bounds.socketsPerSessionMax else {
            return .refuse(refuse(request, .tooMany))
        }
        let browser = Browser(
            Bridge(session: name, bounds: settings.bounds), session: session,
            gatewayPath: settings.gatewayPath,
            loop: loop, log: log
        ) { [weak self] browser in self?.ended(browser) }
        browsers[ObjectIdentifier(browser)] = browser
        log.write(.debug, "browser connected") { $0.member("session", session) }
        return .accept(browser.makeSocket())
    }

    private func ended(_ browser: Browser) {
        browsers[ObjectIdentifier(browser)] = nil
        log.write(.debug, "browser gone") { $0.member("session", browser.session) }
        stopIfAlone()
    }

    func connectionRefused() {
        log.write(.warning, "connection refused") { json in
            json.member("why", Refusal.tooMany.rawValue)
        }
    }

    /// Why a request is refused, as the log says it.
    private enum Refusal: String {
        case wrongHost = "wrong host"
        case wrongOrigin = "wrong origin"
        case noCookie = "no cookie"
        case tooMany = "too many connections"
    }

    private func refuse(_ request: WebRequest, _ why: Refusal) -> WebResponse {
        log.write(.warning, "request refused") { json in
            json.member("why", why.rawValue)
            json.member("host", request.host)
            json.member("origin", request.origin)
        }
        switch why {
        case .wrongHost: return .text(403, "This server has another name: open the address that it printed.")
        case .wrongOrigin: return .text(403, "Only this server's own page may connect.")
        case .noCookie: return .text(403, "Open the page first.")
        case .tooMany: return .text(503, "Too many windows are open: close some.")
        }
    }
}
