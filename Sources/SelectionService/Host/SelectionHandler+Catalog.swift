import JSON
import Shared
import UV

// The conversation with the catalog service.

extension SelectionHandler {
    /// Hears what the catalog service tells by itself.
    func listenToCatalog() {
        catalog.onUp = { [weak self] in self?.tell(.connected) }
        catalog.onDown = { [weak self] in self?.tell(.disconnected) }
        catalog.onEvent = { [weak self] method, params in
            guard let self, method == "catalog.changed" else { return }
            guard let change = CatalogChange(params) else {
                return self.log.write(.error, "catalog.changed is not understood")
            }
            self.tell(.changed(change))
        }
    }

    /// Has the catalog service tell of all changes from now on.
    func subscribeToCatalog() {
        catalog.call("catalog.subscribe", deadline: loop.now + Limits.subscribeAnswerMs) {
            [weak self] answer in
            guard let self else { return }
            guard case .success(let result) = answer, let revisions = result["revisions"] else {
                self.tell(.notSubscribed)
                guard self.catalog.isUp else { return }  // else connecting again comes first
                return self.retry.start(milliseconds: Limits.retryMs) { [weak self] in
                    guard let self, self.catalog.isUp else { return }
                    self.subscribeToCatalog()
                }
            }
            var known: [Identifier: Int] = [:]
            for member in revisions.members { known[Identifier(member.name)] = member.value.int ?? 0 }
            self.sweeping.stop()
            self.tell(.subscribed(known))
        }
    }

    /// Looks things up.
    func locate(_ call: SelectionCore.Call.ID, _ id: Identifier, _ things: [Thing]) {
        func write(_ kind: Thing.Kind, to json: inout JSONWriter) {
            json.array { json in for thing in things where thing.kind == kind { json.value(thing.id.text) } }
        }
        catalog.call(
            "catalog.locate", deadline: loop.now + Limits.catalogAnswerMs,
            params: { json in
                json.member("catalog", id.text)
                json.key("categories")
                write(.category, to: &json)
                json.key("items")
                write(.item, to: &json)
            },
            then: { [weak self] answer in
                switch answer {
                case .success(let result):
                    guard let located = Located(result, about: things) else {
                        self?.tell(.failed(call, Self.notUnderstood("catalog.locate")))
                        return
                    }
                    self?.tell(.located(call, located))
                case .failure(let error): self?.tell(.failed(call, error))
                }
            })
    }

    /// Asks how many columns a catalog has.
    func describe(_ call: SelectionCore.Call.ID, _ id: Identifier) {
        catalog.call(
            "catalog.describe", deadline: loop.now + Limits.catalogAnswerMs,
            params: { json in json.member("catalog", id.text) },
            then: { [weak self] answer in
                switch answer {
                case .success(let result):
                    guard let columns = result["catalog"]?["columns"]?.int else {
                        self?.tell(.failed(call, Self.notUnderstood("catalog.describe")))
                        return
                    }
                    self?.tell(.described(call, columns: columns))
                case .failure(let error): self?.tell(.failed(call, error))
                }
            })
    }

    private static func notUnderstood(_ method: String) -> RPCError {
        RPCError(
            .internal, "The catalog service answered \(method) with something else than its contract says.")
    }
}
