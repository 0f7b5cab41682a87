/// The names under which this server may be reached.
///
/// A page elsewhere can have its own name resolve to this machine (DNS rebinding); then it asks for a host that is not
/// among these. And a page elsewhere can open a WebSocket to us; then its origin is another one.
struct AllowedHosts: Equatable {
    private let names: Set<String>

    /// Names of a server that listens at a numeric address, and those that were allowed beside.
    init(address: String, port: Int, more: [String]) {
        let isLoopback = address == "::1" || address.hasPrefix("127.")
        var hosts = [address.contains(":") ? "[\(address)]" : address]
        if isLoopback || address == "0.0.0.0" || address == "::" {
            hosts += ["127.0.0.1", "localhost", "[::1]"]
        }
        var names = Set(more.map { $0.lowercased() })
        for host in hosts {
            names.insert("\(host):\(port)")
            if port == 80 { names.insert(host) }
        }
        self.names = names
    }

    /// Whether a request's `Host` is one of them.
    func contains(host: String?) -> Bool {
        guard let host else { return false }
        return names.contains(host.lowercased())
    }

    /// Whether a request's `Origin` is the page of its own `Host`; one without an origin comes from no page.
    func contains(origin: String?, host: String?) -> Bool {
        guard contains(host: host), let host = host?.lowercased(), let origin = origin?.lowercased() else {
            return false
        }
        // A proxy in front may speak TLS; the name is what matters.
        return origin == "http://\(host)" || origin == "https://\(host)"
    }
}
