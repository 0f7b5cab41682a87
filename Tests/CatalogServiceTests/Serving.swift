import Glibc
import JSON
import Shared
import TestSupport
import Testing

@testable import CatalogService

/// A catalog service on a loop that the test drives, with a file of its own.
final class Serving {
    let harness: Harness
    let client: TestClient
    let file: String
    private(set) var handler: CatalogHandler?

    init() throws {
        harness = try Harness()
        file = "\(harness.directory)/catalog.sqlite"
        let file = file
        var made: CatalogHandler?
        try harness.serve("catalog") { service throws(StartFailure) in
            let handler = try CatalogHandler(service, path: file)
            made = handler
            return handler
        }
        handler = made
        client = try harness.connect("catalog")
    }

    /// Stops the service and starts it anew.
    ///
    /// Returns a client of the new one.
    func restart() throws -> TestClient {
        try harness.stop("catalog")
        handler = nil
        let file = file
        try harness.serve("catalog") { service throws(StartFailure) in
            try CatalogHandler(service, path: file)
        }
        return try harness.connect("catalog")
    }

    func finish() {
        for suffix in ["", "-wal", "-shm"] { _ = unsafe unlink(file + suffix) }
        harness.finish()
    }

    // MARK: Shorthands

    /// Applies changes, given as JSON objects without the brackets of the list.
    ///
    /// Returns the revision.
    @discardableResult
    func apply(_ changes: String, to catalog: String = "k") throws -> Int {
        let result = try client.call("catalog.apply", #"{"catalog":"\#(catalog)","changes":[\#(changes)]}"#)
        return try #require(result["revision"]?.int)
    }

    /// The code, the path and the revision of a refusal.
    func refusal(_ method: String, _ params: String) throws -> String {
        let answer = try client.respond(method, params)
        guard let error = answer["error"], let data = error["data"] else { return answer.text }
        return [error["code"]?.text, data["path"]?.string, data["revision"]?.text].compactMap(\.self)
            .joined(separator: " ")
    }

    /// The refusal of changes.
    func refusal(of changes: String) throws -> String {
        try refusal("catalog.apply", #"{"catalog":"k","changes":[\#(changes)]}"#)
    }

    /// The ids of all rows, walked page by page.
    func walk(_ params: String, limit: Int = 50) throws -> [String] {
        var ids: [String] = []
        var cursor = ""
        while true {
            let page = try client.call(
                "catalog.items", #"{"catalog":"k","limit":\#(limit)\#(params)\#(cursor)}"#)
            ids += try rowIds(page)
            guard let after = page["after"], !after.isNull else { return ids }
            cursor = #","after":\#(after.text)"#
        }
    }

    func rowIds(_ page: JSONValue) throws -> [String] {
        try #require(page["items"]).elements.map { row in
            let category = row["category"]?.string.map { "\($0)/" } ?? ""
            return category + (row["id"]?.string ?? "?")
        }
    }
}

/// A change that puts an item, `more` being further members.
func put(_ id: String, _ categories: String..., title: String? = nil, more: String = "", at: String = "")
    -> String
{
    let list = categories.map { #""\#($0)""# }.joined(separator: ",")
    return
        #"{"op":"putItem","item":{"id":"\#(id)","title":"\#(title ?? id)","categories":[\#(list)]\#(more)}\#(at)}"#
}

/// A change that puts a category.
func category(_ id: String, more: String = "", at: String = "") -> String {
    #"{"op":"putCategory","category":{"id":"\#(id)","title":"\#(id)"\#(more)}\#(at)}"#
}

/// The change that makes the catalog.
let made = #"{"op":"putCatalog","title":"K"}"#
