import Shared

/// The files that every world begins with: made once, by the services themselves.
enum Template {
    static func make() throws -> Disk {
        let world = try World(seed: 0, from: nil)
        world.hasFaults = false
        world.start()
        let client = Client(1, of: "catalog", in: world)
        world.clients = [client]
        var changes = [#"{"op":"putCatalog","title":"Recipes"}"#]
        for category in World.categories {
            changes.append(#"{"op":"putCategory","category":{"id":"\#(category)","title":"\#(category) 0"}}"#)
        }
        for (index, item) in World.items.enumerated() {
            let category = World.categories[index % World.categories.count]
            changes.append(
                #"{"op":"putItem","item":{"id":"\#(item)","title":"\#(item) 0","subtitle":"\#(category)","categories":["\#(category)"],"blocks":[]}}"#
            )
        }
        client.ask(
            "catalog.apply", #"{"catalog":"recipes","changes":[\#(changes.joined(separator: ","))]}"#)
        client.ask(
            "catalog.apply",
            #"{"catalog":"notes","changes":[{"op":"putCatalog","title":"Notes","columns":2}]}"#)
        world.settle(milliseconds: 1_000)
        if let violation = world.ledger.violation { throw Broken(what: violation) }
        for process in world.processes { process.kill() }
        return world.disk
    }

    struct Broken: Error { let what: String }
}
