import JSON
import Shared
import UV

/// Serves the catalogs.
///
/// What changes nothing is answered at once, from a connection to the file of its own, which sees what was committed.
/// Changes wait for the end of the turn, and so does what the same client has sent behind them.
final class CatalogHandler: Handler {
    private let server: Server
    private let loop: Loop
    private let reads: Reads
    /// What is written to; for reading there is another connection.
    let store: Store
    private let writer: Writer
    private let subscriptions: Subscriptions
    private var searches: Searches
    /// Brings the loop back when something is left to do.
    private let again: UV.Timer

    let methods = CatalogMethods.all

    /// Opens the file.
    ///
    /// - Throws: `StartFailure`.
    init(_ service: Service, path: String) throws(StartFailure) {
        (server, loop) = (service.server, service.loop)
        let subscriptions = Subscriptions()
        store = try Store.open(path)
        let reads = Reads(try Store.open(path))
        let server = service.server
        (self.subscriptions, self.reads) = (subscriptions, reads)
        writer = Writer(
            store, on: service.loop,
            tell: { held in
                switch held.outcome {
                case .success(let outcome):
                    // Who has subscribed since the change was made was told the revisions from before it.
                    let events = outcome.event.map { event in
                        subscriptions.subscribers(of: outcome.catalog).map {
                            (subscription: $0, method: "catalog.changed" as StaticString, params: event)
                        }
                    }
                    server.answer(held.request.token, result: outcome.result, events: events ?? [])
                case .failure(let error): server.fail(held.request.token, error)
                }
            })
        searches = Searches(on: service.loop)
        again = UV.Timer(on: service.loop)
    }

    // MARK: Requests

    func handle(_ request: Request) throws(RPCError) {
        let isChange =
            request.method == CatalogMethods.apply.name || request.method == CatalogMethods.drop.name
        guard isChange || writer.mustWait(request.connection) else { return try answer(request) }
        writer.append(request)
    }

    /// Answers what changes no catalog.
    private func answer(_ request: Request) throws(RPCError) {
        let params = try ObjectReader(request.params)
        let result = try reads.store.reading { () throws(RPCError) -> [UInt8]? in
            switch request.method {
            case CatalogMethods.list.name: try reads.list(params)
            case CatalogMethods.describe.name: try reads.describe(params)
            case CatalogMethods.categories.name: try reads.categories(params)
            case CatalogMethods.items.name: try items(request, params)
            case CatalogMethods.item.name: try reads.item(params)
            case CatalogMethods.locate.name: try reads.locate(params)
            case CatalogMethods.subscribe.name: try subscribe(request, params)
            case CatalogMethods.unsubscribe.name: try unsubscribe(request, params)
            case let method: preconditionFailure("\(method) is not a method that is answered here")
            }
        }
        if let result { server.answer(request.token, result: result) }
    }

    /// Answers a list, or starts a search that will.
    private func items(_ request: Request, _ params: ObjectReader) throws(RPCError) -> [UInt8]? {
        let items = try ItemsRequest(params)
        if items.match.isEmpty { return try reads.items(items) }
        return try searches.start(request, SearchJob(items, reads))
    }

    private func subscribe(_ request: Request, _ params: ObjectReader) throws(RPCError) -> [UInt8] {
        var params = params
        let catalog = try params.optionalIdentifier("catalog")
        let keepAfterEof = try params.bool("keepAfterEof") ?? false
        try params.finish()
        let revisions = try reads.revisions(of: catalog)
        let id = try server.subscribe(request, keepAfterEof: keepAfterEof)
        subscriptions.add(id, of: catalog)
        var json = JSONWriter()
        json.object { json in
            json.member("subscription", id.text)
            json.member("revisions", raw: revisions)
        }
        return json.bytes
    }

    private func unsubscribe(_ request: Request, _ params: ObjectReader) throws(RPCError) -> [UInt8] {
        var params = params
        let id = try params.identifier("subscription")
        try params.finish()
        try server.unsubscribe(request, id)
        subscriptions.remove(id)
        return Array("{}".utf8)
    }

    // MARK: The host

    func turnEnded() {
        let wait = writer.runTurn(now: loop.now) { [self] request in
            do throws(RPCError) { try answer(request) } catch { server.fail(request.token, error) }
        }
        searches.runTurn(now: loop.now) { request, outcome in
            switch outcome {
            case .success(let result): server.answer(request.token, result: result)
            case .failure(let error): server.fail(request.token, error)
            }
        }
        if searches.count > 0 {
            again.start(milliseconds: 0) {}
        } else if let wait {
            again.start(milliseconds: wait) {}
        }
    }

    func subscriptionEnded(_ subscription: SubscriptionID) { subscriptions.remove(subscription) }

    func stop() { again.close() }

    var checks: [(name: String, problem: String?)] {
        writer.lookAgain()
        return [("storage", writer.problem)]
    }

    var metrics: [(name: String, value: Int)] {
        let counters = writer.counters
        return [
            ("change_sets_total", counters.changeSets), ("change_sets_refused_total", counters.refused),
            ("commits_total", counters.commits), ("requests_waiting", writer.waitingCount),
            ("searches_running", searches.count), ("purge_pending", writer.isPurging ? 1 : 0),
            ("catalog_subscriptions", subscriptions.count),
        ]
    }
}
