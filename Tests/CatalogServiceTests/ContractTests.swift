import TestSupport
import Testing

@testable import CatalogService

@Suite struct ContractTests {
    @Test func theServiceKeepsItsContract() throws {
        let serving = try Serving()
        defer { serving.finish() }
        try Contracts.replay("catalog", on: serving.harness, service: "catalog")
    }
}
