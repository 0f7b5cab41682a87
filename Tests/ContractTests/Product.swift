import JSON
import Shared
import TestSupport

@testable import CatalogService
@testable import Gateway
@testable import SelectionService

extension Harness {
    /// Starts all three services on this loop, each with its own files in this test's directory.
    func serveProduct() throws {
        try serveCatalog()
        try serveSelection()
        try serveGateway()
        for name in ["catalog", "selection", "gateway"] {
            let client = try connect(name)
            try until("\(name) is ok") { (try? client.call("rpc.health")["status"]?.string) == "ok" }
        }
    }

    /// Starts the catalog service, on the files that are there.
    func serveCatalog() throws {
        try serve("catalog") { service throws(StartFailure) in
            try CatalogHandler(service, path: "\(directory)/catalog.sqlite")
        }
    }

    /// Starts the selection service, on the files that are there.
    func serveSelection() throws {
        try serve("selection") { service throws(StartFailure) in
            try SelectionHandler(
                service, directory: directory, catalogSocket: socket("catalog"),
                expireDays: Limits.expireDaysDefault)
        }
    }

    /// Starts the gateway.
    func serveGateway() throws {
        try serve("gateway") { service in
            GatewayHandler(service, catalogPath: socket("catalog"), selectionPath: socket("selection"))
        }
    }
}
