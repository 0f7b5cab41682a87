import Shared
import TestSupport
import Testing

/// The examples of the documents are run as they stand there, against all three services.
@Suite struct DocumentedExamplesTests {
    /// A fenced block of lines, marked with the service that they are said to.
    private struct Example {
        let service: String
        let line: Int
        var text = ""
    }

    private func examples(in document: String) throws -> [Example] {
        var found: [Example] = []
        var isInside = false
        let lines = try Repository.text(document).split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("```") {
                let service = line.dropFirst(3)
                isInside = !isInside && ["catalog", "selection", "gateway"].contains(service)
                if isInside { found.append(Example(service: String(service), line: index + 1)) }
            } else if isInside {
                found[found.count - 1].text += line + "\n"
            }
        }
        return found
    }

    @Test(arguments: Repository.files(below: "docs", ending: ".md"))
    func theExamplesOfADocumentHold(document: String) throws {
        let examples = try examples(in: document)
        guard !examples.isEmpty else { return }
        let harness = try Harness()
        defer { harness.finish() }
        try harness.serveProduct()
        for example in examples {
            let script = try ContractScript(example.text)
            #expect(!script.steps.isEmpty)
            try Contracts.replay(
                script, named: "\(document), block at line \(example.line), its line", on: harness,
                service: example.service)
        }
    }

    @Test func theProtocolHasExamplesForEachService() throws {
        let services = try examples(in: "docs/protocol.md").map(\.service)
        #expect(Set(services) == ["catalog", "selection", "gateway"])
    }
}
