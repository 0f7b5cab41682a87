import WebSockets

/// The files of the page, which are in the program.
enum Page {
    /// Where the page's WebSocket is.
    static let socketPath = "/socket"

    /// A file as it is served.
    struct File {
        let type: String
        let bytes: [UInt8]
        /// Whether a browser without a key is given one with it.
        let givesCookie: Bool
    }

    /// The file at a path.
    static func file(_ path: String) -> File? {
        switch path {
        case "/":
            File(type: "text/html; charset=utf-8", bytes: PackageResources.index_html, givesCookie: false)
        case "/style.css":
            File(type: "text/css; charset=utf-8", bytes: PackageResources.style_css, givesCookie: false)
        case "/app.js": script(PackageResources.app_js, givesCookie: true)
        case "/column.js": script(PackageResources.column_js)
        case "/detail.js": script(PackageResources.detail_js)
        case "/dom.js": script(PackageResources.dom_js)
        case "/keys.js": script(PackageResources.keys_js)
        case "/link.js": script(PackageResources.link_js)
        case "/list.js": script(PackageResources.list_js)
        case "/patch.js": script(PackageResources.patch_js)
        case "/place.js": script(PackageResources.place_js)
        default: nil
        }
    }

    private static func script(_ bytes: [UInt8], givesCookie: Bool = false) -> File {
        File(type: "text/javascript; charset=utf-8", bytes: bytes, givesCookie: givesCookie)
    }
}

extension WebResponse {
    /// What a browser may do with anything that comes from here.
    ///
    /// It may show this page, with its own script and style, that talks to this server alone. Nothing may frame it, and
    /// nothing learns its address.
    static let headersOfAll: [Header] = [
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
        ),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cache-control", "no-store"),
    ]

    /// A file of the page.
    static func page(_ file: Page.File, cookie: String? = nil) -> WebResponse {
        WebResponse(
            status: 200,
            headers: [("content-type", file.type)] + (cookie.map { [("set-cookie", $0)] } ?? []),
            body: file.bytes)
    }

    /// A sentence.
    static func text(_ status: Int, _ sentence: String) -> WebResponse {
        WebResponse(
            status: status, headers: [("content-type", "text/plain; charset=utf-8")],
            body: Array("\(sentence)\n".utf8))
    }
}
