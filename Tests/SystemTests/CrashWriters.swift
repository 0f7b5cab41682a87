import JSON
import Shared
import TestSupport

/// Says one thing after the other, each as soon as the one before is answered.
struct Acknowledgements {
    /// How many are known to be carried out.
    var done = 0
    /// The revision of the last one that was answered, or seen.
    var revision = 0
    /// Whether one was sent that has no answer yet.
    private(set) var isUnderWay = false
    /// Whether it is not known if the one after `done` was carried out.
    var isUnknown = false

    /// Whether another one may be sent.
    var isReady: Bool { !isUnderWay && !isUnknown }

    mutating func sent() { isUnderWay = true }

    /// Takes an answer of the connection, or its end; whether it says that the thing is done.
    mutating func take(from client: TestClient, revision read: (JSONValue) -> Int?) -> Bool {
        guard isUnderWay, client.hasLine || client.isAtEnd else { return false }
        isUnderWay = false
        guard client.hasLine, let result = try? client.message()["result"], let revision = read(result) else {
            isUnknown = true
            return false
        }
        done += 1
        self.revision = revision
        return true
    }
}

/// Makes changes that are known by their numbers, one after the other.
protocol CrashWriter {
    var client: TestClient? { get }
    var log: Acknowledgements { get set }

    /// The request that makes a change.
    func request(_ number: Int) -> String
    /// The revision that the result of such a request tells.
    func revision(_ result: JSONValue) -> Int?
}

extension CrashWriter {
    var done: Int { log.done }
    var isUnknown: Bool { log.isUnknown }
    var isIdle: Bool { !log.isUnderWay }

    mutating func sendNext() {
        guard let client, log.isReady, !client.isAtEnd else { return }
        log.sent()
        client.send(request(done + 1))
    }

    mutating func takeAnswer() -> Bool {
        guard let client else { return false }
        let read = revision
        return log.take(from: client, revision: read)
    }
}

/// Sends events of a session of its own to the gateway.
struct EventWriter: CrashWriter {
    let session: String
    var client: TestClient?
    var log = Acknowledgements()

    init(session: String) { self.session = session }

    func request(_ number: Int) -> String {
        #"{"jsonrpc":"2.0","id":1,"method":"view.send","params":{"session":"\#(session)","catalog":"c","event":\#(Self.event(number))}}"#
    }

    func revision(_ result: JSONValue) -> Int? { result["view"]?["revision"]?.int }

    /// Compares with what the session is now: what was acknowledged, or that and the event under way.
    mutating func compare(_ state: SessionState?) -> String? {
        guard let state else { return "\(session) can't be read" }
        defer { log.isUnknown = false }
        var bare = state
        bare.revision = 0
        if bare == Self.state(session, after: log.done), state.revision == log.revision { return nil }
        guard log.isUnknown, bare == Self.state(session, after: log.done + 1), state.revision > log.revision
        else {
            return "\(session) after \(log.done) events, the last of revision \(log.revision): \(state)"
        }
        log.done += 1
        log.revision = state.revision
        return nil
    }

    /// The event with this number, which counts from 1; each changes something.
    private static func event(_ number: Int) -> String {
        guard number > 1 else { return #"{"type":"select","column":"sidebar","id":"A"}"# }
        let (round, kind) = (number - 2).quotientAndRemainder(dividingBy: 3)
        switch kind {
        case 0: return #"{"type":"select","column":"content","id":"\#(item(round))"}"#
        case 1: return #"{"type":"push","column":"detail","id":"\#(item(round + 4))"}"#
        default: return #"{"type":"search","text":"t\#(round % 100)"}"#
        }
    }

    private static func item(_ index: Int) -> String { "a\(index % 9 + 1)" }

    /// What a session is after so many events, apart from its revision.
    private static func state(_ session: String, after count: Int) -> SessionState {
        guard count > 0 else { return SessionState(session: Identifier(stringLiteral: session)) }
        var state = SessionState(session: Identifier(stringLiteral: session), catalog: "c")
        state.category = "A"
        state.canGoBack = true
        guard count > 1 else { return state }
        let (round, kind) = (count - 2).quotientAndRemainder(dividingBy: 3)
        state.items = [Identifier(stringLiteral: item(round))]
        if kind > 0 { state.detailPath = [Identifier(stringLiteral: item(round + 4))] }
        let searched = kind == 2 ? round : round - 1
        if searched >= 0 { state.query = Query(text: "t\(searched % 100)", scope: .category) }
        return state
    }
}

/// Sends change sets to the catalog: each puts two new items, and gives an old pair another title.
struct ChangeWriter: CrashWriter {
    let name: String
    var client: TestClient?
    var log = Acknowledgements()

    init(name: String) { self.name = name }

    func request(_ number: Int) -> String {
        let puts = [("l", "\(number)"), ("r", "\(number)")].map { ("\(name)-\($0.0)\($0.1)", number) }
        let changes = ([("\(name)-first", number)] + puts + [("\(name)-last", number)]).map { id, title in
            #"{"op":"putItem","item":{"id":"\#(id)","title":"\#(title)","categories":["A"]}}"#
        }
        return
            #"{"jsonrpc":"2.0","id":1,"method":"catalog.apply","params":{"catalog":"c","changes":[\#(changes.joined(separator: ","))]}}"#
    }

    func revision(_ result: JSONValue) -> Int? { result["revision"]?.int }

    /// The rows of everything that is done, as id and title.
    var rows: Set<String> {
        guard done > 0 else { return [] }
        let pairs = (1...done).flatMap { ["\(name)-l\($0) \($0)", "\(name)-r\($0) \($0)"] }
        return Set(pairs + ["\(name)-first \(done)", "\(name)-last \(done)"])
    }

    /// The titles in the catalog of what the last change set wrote, and of what the next one writes.
    func found(_ client: TestClient) throws -> [String] {
        try ["first", "l\(done)", "r\(done)", "l\(done + 1)", "r\(done + 1)", "last"].map { id in
            let answer = try client.respond("catalog.item", #"{"catalog":"c","id":"\#(name)-\#(id)"}"#)
            return answer["result"]?["item"]?["title"]?.string ?? "none"
        }
    }

    /// Compares with what is in the catalog now: what was acknowledged, or that and the change set under way.
    mutating func compare(_ titles: [String]) -> String? {
        defer { log.isUnknown = false }
        let (now, next) = (done > 0 ? "\(done)" : "none", "\(done + 1)")
        if titles == [now, now, now, "none", "none", now] { return nil }
        guard log.isUnknown, titles == [next, now, now, next, next, next] else {
            return "\(name) after \(done) change sets: \(titles)"
        }
        log.done += 1
        return nil
    }
}
