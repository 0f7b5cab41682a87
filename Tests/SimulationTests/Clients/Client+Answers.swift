import JSON
import Shared

// What each answer has to be.

extension Client {
    func take(_ result: JSONValue, of request: Asked) {
        let ledger = world.ledger
        if request.mustBeRefused { return ledger.fail("\(request.method) was done in a batch") }
        if request.isLast { world.checkLast(result, request.method) }
        switch request.method {
        case "view.get", "view.send", "view.subscribe": takeView(result, of: request)
        case "view.resize", "view.scroll", "view.unsubscribe", "selection.unsubscribe", "catalog.unsubscribe":
            if request.method.hasSuffix("unsubscribe"), let name = request.stream { streams[name] = nil }
        case "selection.get", "selection.send", "selection.copy": takeState(result, of: request)
        case "selection.subscribe": subscribe(result, Stream(kind: .sessions))
        case "selection.delete": world.reached.insert(.sessionDeleted)
        case "catalog.subscribe": subscribe(result, Stream(kind: .catalogs))
        case "catalog.apply", "catalog.drop": takeChange(result, of: request)
        case "catalog.describe":
            guard let catalog = result["catalog"], let id = catalog["id"]?.string,
                let revision = catalog["revision"]?.int
            else { return ledger.fail("no catalog: \(result.text)") }
            ledger.see(catalog: id, revision: revision, by: self, since: request.floors)
            if request.isLast { checkTold("catalog " + id, revision) }
        case "catalog.categories", "catalog.items":
            guard let revision = result["revision"]?.int else { return ledger.fail("no revision") }
            ledger.see(catalog: World.catalogs[0], revision: revision, by: self, since: request.floors)
            ledger.see(result, to: "\(request.method) \(request.params)", revision: revision)
        default: break
        }
    }

    private func subscribe(_ result: JSONValue, _ stream: Stream) {
        guard let name = result["subscription"]?.string else { return world.ledger.fail("no subscription") }
        streams[name] = stream
        if let revisions = result["revisions"] {
            for catalog in revisions.members { lastTold["catalog " + catalog.name] = catalog.value.int }
        }
    }

    private func takeView(_ result: JSONValue, of request: Asked) {
        let ledger = world.ledger
        guard let view = result["view"] else { return ledger.fail("no view: \(result.text)") }
        if request.method == "view.get", let name = request.stream {
            // Exactly what that subscriber has, whatever the connection has seen elsewhere; or what he is told next.
            guard let told = streams[name]?.view, told != Tree(view) else { return }
            streams[name]?.owed = Tree(view)
            if world.temper.windowOutputBytesMax > 10_000 {
                ledger.fail("\(name) of client \(number) was told another view than \(view.text)")
            }
            return
        }
        let question = request.method == "view.get" ? request.params : nil
        let isFresh = ledger.see(view: view, by: self, since: request.floors, question: question)
        if isFresh, let session = view["session"]?.string, let revision = view["revision"]?.int {
            note(request, shows: session, at: revision)
        }
        if let name = request.likeWindow { compare(view, withWindow: name) }
        if request.method == "view.subscribe" {
            var stream = Stream(kind: .window)
            (stream.view, stream.isPatch) = (Tree(view), request.isPatch)
            return subscribe(result, stream)
        }
        guard request.method == "view.send", result["changed"]?.bool == true,
            let session = view["session"]?.string, let revision = view["revision"]?.int
        else { return }
        world.reached.insert(.eventsApplied)
        // The view may be of a later revision than this change's: others change the session, too.
        ledger.changed(session: session, to: revision, isNew: false)
    }

    /// When all is at rest a window shows what anybody is shown who asks.
    private func compare(_ view: JSONValue, withWindow name: String) {
        guard let told = streams[name]?.view else { return }
        let asked = Tree(view)
        for part in ["session", "revision", "catalog", "detail", "history"] where told[part] != asked[part] {
            world.ledger.fail("at rest, \(part) of \(name) of client \(number) differs from \(view.text)")
        }
        // Which rows of the list a window shows is its own; with two columns the list is in the sidebar.
        let list = view["content"]?.isNull == true ? "sidebar" : "content"
        if list == "content", told["sidebar"] != asked["sidebar"] {
            world.ledger.fail("at rest, sidebar of \(name) of client \(number) differs from \(view.text)")
        }
        for part in ["status", "title", "search", "sort", "path"]
        where told[list]?[part] != asked[list]?[part] {
            world.ledger.fail(
                "at rest, \(list)'s \(part) of \(name) of client \(number) differs from \(view.text)")
        }
    }

    private func takeState(_ result: JSONValue, of request: Asked) {
        let ledger = world.ledger
        guard let state = result["state"], let session = state["session"]?.string,
            let revision = state["revision"]?.int
        else { return ledger.fail("no state: \(result.text)") }
        let isChange =
            request.method == "selection.copy" ? true : result["changed"]?.bool == true
        if isChange { checkComesFirst(revision) }
        ledger.see(state, by: self, since: request.floors)
        note(request, shows: session, at: revision)
        if request.isLast { checkTold(session, revision) }
        guard isChange else { return }
        changed(request, session: session, to: revision)
        world.reached.insert(request.method == "selection.copy" ? .sessionCopied : .eventsApplied)
        ledger.changed(session: session, to: revision, isNew: true)
    }

    /// When all is at rest whoever follows was told the last that there is.
    private func checkTold(_ thing: String, _ revision: Int) {
        if let told = lastTold[thing], told != revision {
            world.ledger.fail(
                "client \(number) follows \(thing), which is at \(revision), but was told \(told) last")
        }
    }

    private func takeChange(_ result: JSONValue, of request: Asked) {
        guard let revision = result["revision"]?.int else { return world.ledger.fail("no revision") }
        checkComesFirst(revision)
        if let item = request.item {
            world.reached.insert(.catalogsChanged)
            world.ledger.changed(catalog: World.catalogs[0], to: revision)
            world.ledger.acknowledge(item, revision)
        } else if request.method == "catalog.drop" {
            world.reached.insert(.catalogDropped)
        } else {
            world.ledger.changed(catalog: World.catalogs[1], to: revision)
        }
    }

    // MARK: Refusals

    func take(error: JSONValue, of request: Asked) {
        let reason = error["data"]?["reason"]?.string ?? ""
        switch reason {
        case "upstream_unavailable", "draining": world.reached.insert(.unavailableRefused)
        case "storage":
            world.reached.insert(.storageRefused)
            if !world.reached.contains(.commitFailed) { refused(error, request) }
        case "deadline_exceeded": world.reached.insert(.deadlinePassed)
        case "invalid_request" where request.mustBeRefused:
            world.reached.insert(.subscriptionInBatchRefused)
        case "overloaded", "not_found", "not_possible", "conflict": break
        case "invalid_params" where request.method == "view.scroll": break
        default: refused(error, request)
        }
        // What is refused has not happened, unless only the answer came too late.
        if let item = request.item, reason != "deadline_exceeded", reason != "upstream_unavailable" {
            world.ledger.items[item.id]?.open.remove(item.openId)
        }
    }

    private func refused(_ error: JSONValue, _ request: Asked) {
        world.ledger.fail("\(request.method) \(request.params) was refused: \(error.text)")
    }
}

extension Ledger {
    /// A change of an item is under way.
    func begin(_ item: Client.ItemChange) {
        items[item.id, default: ItemRecord()].open.insert(item.openId)
    }

    func acknowledge(_ item: Client.ItemChange, _ revision: Int) {
        var record = items[item.id] ?? ItemRecord()
        record.open.remove(item.openId)
        if revision > record.revision { (record.revision, record.serial) = (revision, item.serial) }
        items[item.id] = record
    }
}
