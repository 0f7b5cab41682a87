import JSON
import Shared
import UV

/// Asks the gateway for views of a large catalog: any session, any category, order, search and place.
struct RandomViews {
    private let caller: Caller
    private let items: Int
    private var random = LargeCatalog.Chance(7)
    /// The cursor behind the rows that a session was shown last.
    private var cursors: [Int: String] = [:]

    /// Prints how long they took, and the memory of all services.
    static func run(_ run: String, items: Int, count: Int) throws(StartFailure) {
        let processes = try Sessions.processes(run: run)
        var views = RandomViews(caller: try Caller(path: "\(run)/gateway.sock"), items: items)
        defer { views.caller.close() }
        var (times, pings): ([UInt64], [UInt64]) = ([], [])
        for _ in 0..<count {
            times.append(try views.ask())
            let begin = Loop.nanoseconds
            _ = try views.caller.call("rpc.ping", "")
            pings.append(Loop.nanoseconds - begin)
        }
        print("random views: \(Figure.summary(times)); a ping of the gateway \(Figure.summary(pings))")
        for (name, process) in processes {
            print(
                "memory of \(name): \(ProcessUsage(of: process).residentKiB / 1_024) MiB, at most \(ProcessUsage.peakMiB(of: process)) MiB"
            )
        }
    }

    /// Asks for one view, mostly after an event.
    private mutating func ask() throws(StartFailure) -> UInt64 {
        let session = random.next(below: 1_000)
        let common = #""session":"large-\#(session)","width":\#(400 + random.next(below: 1_200))"#
        let begin = Loop.nanoseconds
        let result: JSONValue
        switch random.next(below: 6) {
        case 0:
            let event = #"{"type":"open","category":"all","item":"\#(random.item(of: items, step: 1))"}"#
            result = try caller.call("view.send", #"\#(common),"event":\#(event)"#)
        case 1:
            let event = #"{"type":"open","category":"few","item":"\#(random.item(of: items, step: 1_000))"}"#
            result = try caller.call("view.send", #"\#(common),"event":\#(event)"#)
        case 2:
            let by = ["position", "title", "date"][random.next(below: 3)]
            let event = #"{"type":"sort","by":"\#(by)","descending":\#(random.next(below: 2) == 0)}"#
            result = try caller.call("view.send", #"\#(common),"event":\#(event)"#)
        case 3:
            let text = ["even", "needle", "k", "numb", "ka lo", ""][random.next(below: 6)]
            let event = #"{"type":"search","text":"\#(text)","scope":"category"}"#
            result = try caller.call("view.send", #"\#(common),"event":\#(event)"#)
        case 4:
            result = try caller.call(
                "view.get", #"\#(common),"around":"\#(random.item(of: items, step: 1))""#)
        default:
            let cursor = cursors.removeValue(forKey: session).map { #","after":"\#($0)""# } ?? ""
            result = try caller.call("view.get", common + cursor)
        }
        let time = Loop.nanoseconds - begin
        // An event may have led to another list, to which the cursor does not belong; so it is forgotten each time.
        cursors[session] = result["view"]?["content"]?["page"]?["after"]?.string
        return time
    }
}
