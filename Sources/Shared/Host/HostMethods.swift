import JSON

/// The methods that every service has.
enum HostMethods {
    static let ping = Method("rpc.ping", .read, "Answers at once.")
    static let info = Method(
        "rpc.info", .read, "Tells what this service is: its name, version, limits, process and start.")
    static let health = Method(
        "rpc.health", .read, "Tells how it is: starting, ok, degraded or draining, and what was looked at.")
    static let metrics = Method(
        "rpc.metrics", .read, "Tells counters, as JSON or as text for Prometheus.",
        params: [.init("format", #"{"enum":["json","prometheus"]}"#)])
    static let connections = Method(
        "rpc.connections", .read, "Tells of each connection: who it is, its age, and what it holds.",
        result: #"{"type":"object","required":["connections"]}"#)
    static let discover = Method("rpc.discover", .read, "Tells all methods, as an OpenRPC document.")

    static let all = [ping, info, health, metrics, connections, discover]
}

/// The version of the product, and of its wire.
public enum Version {
    /// The version of the programs.
    public static let product = "0.1.0"
    /// The version of the protocol.
    public static let wire = "triptych/1"
}
