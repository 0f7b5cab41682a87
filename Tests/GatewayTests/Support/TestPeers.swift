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
        }
        json.object { json in
            json.member("changed", changed)
            json.key("state")
            state.write(to: &json)
        }
        return json.bytes
    }
}

/// Parses a text that a test relies on.
func parse(_ text: some Collection<UInt8>) throws -> JSONValue {
    try JSONParser(depthMax: Limits.nestingLevelsMax).parse(text).root
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
