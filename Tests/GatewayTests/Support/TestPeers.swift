import JSON
import Shared
import Testing

@testable import Gateway

/// Both services that the gateway asks, in memory.
final class TestPeers {
    var catalog: TestCatalog
    /// Sessions that exist.
    var states: [String: SessionState] = [:]
    /// What an event does to a state; answers whether it changes something.
    var apply: (inout SessionState, JSONValue) throws -> Bool = { _, _ in true }
    /// What is told of changes and was not taken yet, as events of the wire.
    var news: [(peer: GatewayCore.Peer, params: [UInt8])] = []
    /// How often a change of a session was told.
    private var told = 0
    /// Who asked to be told.
    private var hearing: Set<GatewayCore.Peer> = []
    /// Peers that do not answer.
    var silent: Set<GatewayCore.Peer> = []
    /// Peers that can't be reached.
    var down: Set<GatewayCore.Peer> = []

    init(_ catalog: TestCatalog = .lettered()) { self.catalog = catalog }

    /// The state of the default session, which is made by this.
    var state: SessionState {
        get { states["default"] ?? SessionState(session: "default") }
        set {
            states["default"] = newValue
            states["default"]?.catalog = Identifier(catalog.id)
        }
    }

    /// Makes the default session as if the events had happened.
    func at(category: String? = nil, items: [String] = [], detailPath: [String] = []) {
        var state = SessionState(session: "default")
        state.revision = 3
        state.category = category.map { Identifier($0) }
        state.items = items.map { Identifier($0) }
        state.detailPath = detailPath.map { Identifier($0) }
        self.state = state
    }

    func respond(_ method: String, _ params: JSONValue?) -> Result<[UInt8], RPCError> {
        do {
            if method == "rpc.ping" { return .success(Array("{}".utf8)) }
            if method == "catalog.subscribe" {
                hearing.insert(.catalog)
                return .success(
                    Array(#"{"subscription":"c","revisions":{"\#(catalog.id)":\#(catalog.revision)}}"#.utf8))
            }
            if method == "selection.subscribe" {
                hearing.insert(.selection)
                return .success(Array(#"{"subscription":"s"}"#.utf8))
            }
            if method.hasPrefix("catalog.") { return .success(try catalog.respond(method, params)) }
            return .success(try selection(method, params))
        } catch {
            return .failure(error as? RPCError ?? RPCError(.internal, "\(error)"))
        }
    }

    private func selection(_ method: String, _ params: JSONValue?) throws -> [UInt8] {
        let session = try #require(params?["session"]?.string)
        var state = states[session] ?? SessionState(session: Identifier(session))
        var json = JSONWriter()
        if method == "selection.get" {
            json.object { json in
                json.key("state")
                state.write(to: &json)
            }
            return json.bytes
        }
        let asked = params?["catalog"]?.string
        guard let own = state.catalog?.text ?? asked else {
            throw RPCError.invalidParams("/catalog", "/catalog is missing.")
        }
        if let asked, asked != own {
            throw RPCError(.conflict, "It belongs to another catalog.", revision: 3)
        }
        if let expected = params?["expectedRevision"]?.int, expected != state.revision {
            throw RPCError(.conflict, "It has changed.", revision: state.revision)
        }
        state.catalog = Identifier(own)
        let event = try #require(params?["event"])
        let changed = try apply(&state, event)
        if changed {
            state.revision += 1
            states[session] = state
            let type = event["type"]?.string ?? ""
            let isRequest = ["setVisibility", "setStyle", "showColumn", "reset"].contains(type)
            tell(state, cause: isRequest ? "explicitRequest" : "contentChange")
        }
        json.object { json in
            json.member("changed", changed)
            json.key("state")
            state.write(to: &json)
        }
        return json.bytes
    }
}

extension TestPeers {
    /// Changes the catalog, and tells of it.
    func changeCatalog(isDropped: Bool = false, _ change: (TestCatalog) -> Void = { _ in }) {
        change(catalog)
        catalog.revision += 1
        guard hearing.contains(.catalog) else { return }
        var json = JSONWriter()
        json.object { json in
            json.member("subscription", "c")
            json.member("catalog", catalog.id)
            json.member("revision", catalog.revision)
            json.member("dropped", isDropped)
        }
        news.append((.catalog, json.bytes))
        if isDropped { catalog.id = "another" }
    }

    /// Changes a session behind the gateway's back, and tells of it.
    func changeState(
        _ session: String = "default", cause: String = "contentChange", _ change: (inout SessionState) -> Void
    ) {
        var state = states[session] ?? SessionState(session: Identifier(session))
        state.catalog = state.catalog ?? Identifier(catalog.id)
        state.revision += 1
        change(&state)
        states[session] = state
        tell(state, cause: cause)
    }

    /// Deletes a session, and tells of it.
    func deleteState(_ session: String = "default") {
        states[session] = nil
        tell(SessionState(session: Identifier(session)), cause: "contentChange", isDeleted: true)
    }

    fileprivate func tell(_ state: SessionState, cause: String, isDeleted: Bool = false) {
        guard hearing.contains(.selection) else { return }
        told += 1
        var json = JSONWriter()
        json.object { json in
            json.member("subscription", "s")
            json.member("seq", told)
            json.key("state")
            state.write(to: &json)
            json.member("cause", cause)
            json.member("deleted", isDeleted)
        }
        news.append((.selection, json.bytes))
    }
}

/// Parses a text that a test relies on.
func parse(_ text: some Collection<UInt8>) throws -> JSONValue {
    try JSONParser(depthMax: Limits.nestingLevelsMax).parse(Array(text)).root
}

/// Parses a text that a test relies on.
func parse(_ text: String) throws -> JSONValue { try parse(Array(text.utf8)) }

extension JSONValue {
    /// The text this value was written with.
    var written: String { String(decoding: raw, as: UTF8.self) }

    /// The strings of an array's elements, or of one member of each of them.
    func strings(_ name: StaticString? = nil) -> [String] {
        elements.compactMap { element in
            if let name { element[name]?.string } else { element.string }
        }
    }

    /// A value inside, by the names on the way.
    func at(_ names: StaticString...) -> JSONValue? {
        var value: JSONValue? = self
        for name in names { value = value?[name] }
        return value
    }
}
