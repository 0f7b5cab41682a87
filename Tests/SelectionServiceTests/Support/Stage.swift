import Glibc
import JSON
import Shared
import TestSupport
import Testing

@testable import SelectionService

/// The selection service over real sockets and a real file, with a mock for the catalog.
final class Stage {
    let harness: Harness
    let catalog: MockCatalog
    private(set) var handler: SelectionHandler?
    /// What the wall clock shows beyond the system's.
    var aheadMs = 0

    init() throws {
        harness = try Harness()
        catalog = try MockCatalog(on: harness)
    }

    /// Starts it.
    func serve(expireDays: Int = 30) throws {
        try harness.serve("selection") { service throws(StartFailure) in
            let handler = try SelectionHandler(
                service, directory: harness.directory, catalogSocket: harness.socket("catalog"),
                expireDays: expireDays)
            let system = handler.wallMs
            handler.wallMs = { [weak self] in system() + (self?.aheadMs ?? 0) }
            self.handler = handler
            return handler
        }
    }

    /// Stops it cleanly.
    func stop() throws {
        handler = nil
        try harness.stop("selection")
    }

    /// Starts it, connects a client and waits until it is healthy.
    func client(expireDays: Int = 30) throws -> TestClient {
        try serve(expireDays: expireDays)
        let client = try harness.connect("selection")
        try waitForCatalog()
        return client
    }

    /// Waits until the service hears of all changes.
    func waitForCatalog() throws {
        try harness.until("the catalog is heard") { handler?.core.knowledge.link == .live }
    }

    /// Waits until all sessions are right.
    func waitUntilSettled() throws {
        try harness.until("all is settled") {
            guard let knowledge = handler?.core.knowledge, knowledge.unsettled.isEmpty else { return false }
            return knowledge.catalogs["c"].map { $0.latest == catalog.revision } ?? !catalog.exists
        }
    }

    /// Ends everything and removes the files.
    func finish() {
        handler = nil
        harness.finish()
        for name in ["selection.sqlite", "selection.sqlite-wal", "selection.sqlite-shm"] {
            _ = unsafe unlink("\(harness.directory)/\(name)")
        }
        _ = unsafe rmdir(harness.directory)
    }
}

extension TestClient {
    /// Sends an event of the session `s`; gives the state after it.
    @discardableResult
    func event(_ event: String, session: String = "s") throws -> SessionState {
        let result = try call("selection.send", Self.params(event, session))
        return try #require(result["state"].flatMap(SessionState.init))
    }

    /// Sends an event of the session `s` that is to be refused; gives the reason.
    func refusal(_ event: String, session: String = "s") throws -> String? {
        try respond("selection.send", Self.params(event, session))["error"]?["data"]?["reason"]?.string
    }

    /// The state of a session.
    func state(_ session: String = "s") throws -> SessionState {
        let result = try call("selection.get", #"{"session":"\#(session)"}"#)
        return try #require(result["state"].flatMap(SessionState.init))
    }

    static func params(_ event: String, _ session: String = "s") -> String {
        #"{"session":"\#(session)","catalog":"c","event":\#(event)}"#
    }
}
