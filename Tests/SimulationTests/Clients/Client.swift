import JSON
import Shared

/// A client on one connection: it asks, and looks at everything that it is told.
final class Client {
    let number: Int
    let service: String
    unowned let world: World
    private var socket: Socket?
    private var output: [UInt8] = []
    private var input: [UInt8] = []
    private var lastId = 0
    private(set) var asked: [Int: Asked] = [:]
    /// Which revision of which session the last requests were answered.
    private var shown: [(id: Int, session: String, revision: Int)] = []
    /// The last that streams have told of a session or catalog, or that was so when they began.
    var lastTold: [String: Int] = [:]
    var streams: [String: Stream] = [:]
    /// The greatest revisions that this connection was shown.
    var seen = Ledger.Floors()
    /// Revisions of which this connection has heard by an event.
    private var heard: Set<Int> = []
    private var hasSaidEnd = false
    /// Requests that are to be sent in one line; nil while each is a line of its own.
    private var batch: [String]?
    /// Whether what it is told now may be older than what it was told last, and newer than what follows.
    private(set) var isReadingBatch = false
    /// It reads nothing before this time, while there is trouble.
    var sleepsUntil: UInt64 = 0

    /// A request that is not answered yet.
    struct Asked {
        let method: String
        /// The params as they were written.
        let params: String
        /// Its number on this connection.
        let id: Int
        /// What everybody who asks at that time must see.
        var floors: Ledger.Floors
        /// The subscription that it is about.
        var stream: String?
        /// What it does to an item.
        var item: ItemChange?
        /// For a subscription: whether it is told in patches.
        var isPatch = false
        /// Whether it is a subscription in a batch, which may not be made.
        var mustBeRefused = false
        /// Whether it is asked when all is at rest.
        var isLast = false
        /// The window that must show the same, when all is at rest.
        var likeWindow: String?
    }

    struct ItemChange {
        let id: String
        /// nil deletes it.
        let serial: Int?
        let openId: Int
    }

    /// A subscription.
    struct Stream {
        let kind: Kind
        var seq = 0
        /// The window's view as it was told; nil for other streams.
        var view: Tree?
        var isPatch = false
        /// It was found to lag: the gateway has a later view than was told, which has to be told next.
        var owed: Tree?

        enum Kind { case window, sessions, catalogs }
    }

    init(_ number: Int, of service: String, in world: World) {
        (self.number, self.service, self.world) = (number, service, world)
        socket = world.network.connect(to: service)
    }

    // MARK: The connection

    var isConnected: Bool { socket != nil }
    var isReadable: Bool {
        (socket?.isReadable ?? false) && !(world.hasFaults && world.clock < sleepsUntil)
    }
    var hasOutput: Bool { !output.isEmpty && (socket.map { $0.room > 0 || $0.isPeerGone } ?? false) }

    /// Closes the connection, whatever is under way.
    func leave() {
        socket?.close()
        socket = nil
        (output, asked, streams) = ([], [:], [:])
        world.clients.removeAll { $0 === self }
    }

    /// Says that nothing more is asked; everything asked is still answered.
    func sayEnd() {
        guard output.isEmpty, !hasSaidEnd else { return }
        hasSaidEnd = true
        world.trace.note("half-closes", number)
        socket?.shutDown()
    }

    func ask(_ method: String, _ params: String, _ more: (inout Asked) -> Void = { _ in }) {
        guard socket != nil, !hasSaidEnd, asked.count < 12 else { return }
        // What a subscriber had is not so any more when the answer of a batch comes.
        if batch != nil, method == "view.get", params.hasPrefix("{\"subs") { return }
        lastId += 1
        var request = Asked(method: method, params: params, id: lastId, floors: world.ledger.floors)
        more(&request)
        request.mustBeRefused = batch != nil && method.hasSuffix(".subscribe")
        asked[lastId] = request
        let text = #"{"jsonrpc":"2.0","id":\#(lastId),"method":"\#(method)","params":\#(params)}"#
        world.trace.note("asks", number, lastId, batch == nil ? 0 : 1, text: "\(method) \(params)")
        guard batch == nil else {
            batch?.append(text)
            return
        }
        send(text)
    }

    /// Asks all that `ask` asks in one line.
    func askInBatch(_ ask: () -> Void) {
        batch = []
        ask()
        let all = batch ?? []
        batch = nil
        if !all.isEmpty { send("[" + all.joined(separator: ",") + "]") }
    }

    private func send(_ line: String) {
        output += Array(line.utf8)
        output.append(0x0A)
        flush()
    }

    /// Writes what it has to say, now and then only a part of it.
    func flush() {
        guard let socket, !output.isEmpty else { return }
        var count = output.count
        if world.hasFaults, world.fate.isOne(in: 12) { count = world.fate.number(0...count) }
        guard let taken = socket.write(output[..<count]) else { return }
        output.removeFirst(taken)
    }

    func read() {
        guard let socket else { return }
        input += socket.read()
        while let end = input.firstIndex(of: 0x0A) {
            let line = Array(input[..<end])
            input.removeSubrange(...end)
            world.trace.note("is told", number, line.count, text: line.text)
            guard let message = try? world.parser.parse(line).root else {
                return world.ledger.fail("client \(number) is told no JSON: \(line.text)")
            }
            if message.kind == .array { takeBatch(message) } else { take(message) }
            if world.ledger.violation != nil { return }
        }
        guard socket.isAtEnd, socket.inboxIsEmpty else { return }
        if hasSaidEnd, !asked.isEmpty, !socket.isReset, world.isCalm(service) {
            world.ledger.fail("client \(number) was not answered \(asked.count) requests before the end")
        }
        leave()
    }

    // MARK: What it is told

    private func take(_ message: JSONValue) {
        guard let id = message["id"]?.int else { return takeEvent(message) }
        guard let request = asked.removeValue(forKey: id) else {
            return world.ledger.fail("client \(number) is answered what it has not asked: \(message.text)")
        }
        if let result = message["result"] {
            take(result, of: request)
        } else if let error = message["error"] {
            take(error: error, of: request)
        } else {
            world.ledger.fail("neither result nor error: \(message.text)")
        }
    }

    /// Takes the answers to a batch: all of it, in its order.
    ///
    /// They wait for the last of them, so that the connection may have been told more; and what they have caused follows
    /// them, from the first one on.
    private func takeBatch(_ message: JSONValue) {
        world.reached.insert(.batchAnswered)
        let ids = message.elements.compactMap { $0["id"]?.int }
        guard let first = ids.first, ids.count == message.count, ids == Array(first..<(first + ids.count))
        else { return world.ledger.fail("client \(number) is answered a batch as \(ids)") }
        isReadingBatch = true
        for answer in message.elements { take(answer) }
        isReadingBatch = false
    }

    private func takeEvent(_ message: JSONValue) {
        let ledger = world.ledger
        guard let params = message["params"], let name = params["subscription"]?.string,
            let seq = params["seq"]?.int, var stream = streams[name]
        else {
            return ledger.fail("client \(number) is told of what it has not subscribed to: \(message.text)")
        }
        guard seq == stream.seq + 1 else {
            return ledger.fail("\(name) of client \(number): event \(seq) after \(stream.seq)")
        }
        stream.seq = seq
        streams[name] = stream
        switch stream.kind {
        case .window: takeWindow(params, name, stream)
        case .sessions:
            world.reached.insert(.sessionsTold)
            guard let state = params["state"] else { return ledger.fail("no state: \(message.text)") }
            if params["deleted"]?.bool == true {
                guard let session = state["session"]?.string else { return }
                if !world.mayEnd(session) { ledger.fail("\(session) was deleted by nobody") }
            } else {
                ledger.see(state, by: self, since: Ledger.Floors())
            }
            if let revision = state["revision"]?.int, let session = state["session"]?.string {
                if revision > 0 { heard.insert(revision) }
                lastTold[session] = revision
            }
        case .catalogs:
            world.reached.insert(.catalogsTold)
            guard let catalog = params["catalog"]?.string, let revision = params["revision"]?.int else {
                return ledger.fail("no change: \(message.text)")
            }
            ledger.see(catalog: catalog, revision: revision, by: self, since: Ledger.Floors())
            heard.insert(revision)
            lastTold["catalog " + catalog] = params["dropped"]?.bool == true ? 0 : revision
        }
    }

    private func takeWindow(_ params: JSONValue, _ name: String, _ stream: Stream) {
        var stream = stream
        let ledger = world.ledger
        if params["ended"] != nil {
            world.reached.insert(.windowsEnded)
            streams[name] = nil
            return
        }
        if let view = params["view"] {
            world.reached.insert(.windowsFull)
            if stream.isPatch, params["lagged"]?.bool != true { ledger.fail("a full view was not asked for") }
            if params["lagged"]?.bool == true {
                world.reached.insert(.windowsLagged)
                stream.owed = nil
            }
            stream.view = Tree(view)
            ledger.see(view: view, by: self, since: Ledger.Floors(), question: nil)
        } else if let patch = params["patch"] {
            world.reached.insert(.windowsPatched)
            do throws(Tree.NotPossible) {
                try stream.view?.apply(patch)
            } catch {
                ledger.fail("\(name) of client \(number): \(error.what) in \(patch.text)")
            }
        } else {
            ledger.fail("neither view nor patch: \(params.text)")
        }
        if stream.owed != nil { ledger.fail("\(name) of client \(number) has lagged and is not told so") }
        streams[name] = stream
    }

    // MARK: Order

    /// A request was answered with what shows a revision of a session.
    func note(_ request: Asked, shows session: String, at revision: Int) {
        shown.append((request.id, session, revision))
        if shown.count > 24 { shown.removeFirst() }
    }

    /// What was asked behind a change on the same connection sees it, whatever is answered first.
    func changed(_ request: Asked, session: String, to revision: Int) {
        for later in shown where later.id > request.id && later.session == session {
            if later.revision < revision, later.revision > 0 {
                world.ledger.fail(
                    "client \(number) was shown \(later.revision) of \(session) behind its change \(revision)"
                )
            }
        }
        for (id, later) in asked where id > request.id {
            asked[id]?.floors.sessions[session] = max(later.floors.sessions[session] ?? 0, revision)
        }
    }

    /// The answer to a change comes before the events that it causes.
    func checkComesFirst(_ revision: Int) {
        if heard.contains(revision) {
            world.ledger.fail("client \(number) heard of its change \(revision) before it was answered")
        }
    }
}
