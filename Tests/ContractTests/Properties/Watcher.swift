import Shared
import TestSupport

/// Whoever is told of every change of every session, and of every catalog.
final class Watcher {
    private let client: TestClient
    private let event: String
    private let id: Tree
    private var seq = 0
    private var lastRevision = 0
    private var requests = 0
    /// What was told last of each session or catalog.
    private(set) var last: [Identifier: Tree] = [:]

    /// Watches `selection` or `catalog`.
    init(_ client: TestClient, _ service: String) throws {
        self.client = client
        event = "\(service).changed"
        id = Tree(try client.call("\(service).subscribe"))["subscription"]
    }

    /// Takes in everything that was told up to now.
    func catchUp() throws {
        requests += 1
        client.send(#"{"jsonrpc":"2.0","id":\#(requests),"method":"rpc.ping"}"#)
        while true {
            let message = Tree(try client.message())
            if message["id"].int == requests { return }
            let told = message["params"]
            seq += 1
            try same("method", .string(event), message["method"])
            try same("subscription", id, told["subscription"])
            try same("seq", .number(Double(seq)), told["seq"])
            let state = told["state"]
            if let session = state["session"].id {
                if told["deleted"].bool == true {
                    try same("empty state", ModelSession(session).tree, state)
                } else {
                    let revision = state["revision"].int ?? 0
                    try holds("revision \(revision) after \(lastRevision)", revision > lastRevision)
                    lastRevision = revision
                    try holds("an event that changes nothing", last[session] != state)
                }
                last[session] = state
            } else if let catalog = told["catalog"].id {
                let revision = told["revision"].int ?? 0
                try holds("revision \(revision) after \(lastRevision)", revision > lastRevision)
                lastRevision = revision
                last[catalog] = told
            }
        }
    }
}
