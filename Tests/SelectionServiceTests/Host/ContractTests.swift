import TestSupport
import Testing

@testable import SelectionService

@Suite struct ContractTests {
    @Test func theServiceDoesWhatItsContractSays() throws {
        let stage = try Stage()
        defer { stage.finish() }
        try stage.serve()
        try Contracts.replay("selection", on: stage.harness, service: "selection")
    }
}
