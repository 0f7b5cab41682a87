import Shared
import TestSupport
import Testing

/// Rules of the code that no other tool checks.
@Suite struct TidyTests {
    private static let swift = ["Sources", "Tests", "Benchmarks"].flatMap {
        Repository.files(below: $0, ending: ".swift")
    }

    private func problems(_ files: [String], _ find: (_ path: String, _ line: Substring) -> String?) throws
        -> [String]
    {
        var found: [String] = []
        for path in files {
            let lines = try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() {
                if let problem = find(path, line) { found.append("\(path):\(index + 1): \(problem)") }
            }
        }
        return found
    }

    @Test func thereAreFilesToCheck() {
        #expect(Self.swift.count > 50)
    }

    @Test func aFileCanBeReadInOneSitting() throws {
        let long = try Self.swift.filter { $0.hasPrefix("Sources/") }.compactMap { path in
            let count =
                try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false).count - 1
            return count > 300 ? "\(path) has \(count) lines" : nil
        }
        #expect(long == [])
    }

    @Test func aFunctionIsAtMost60Lines() throws {
        var found: [String] = []
        for path in Self.swift.filter({ $0.hasPrefix("Sources/") }) {
            var start: (line: Int, indent: Int)?
            let lines = try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() {
                let indent = line.prefix { $0 == " " }.count
                if line.contains("func ") || line.dropFirst(indent).hasPrefix("init"), line.hasSuffix("{") {
                    start = (index, indent)
                } else if let begun = start, indent == begun.indent, line.dropFirst(indent) == "}" {
                    if index - begun.line > 60 { found.append("\(path):\(begun.line + 1)") }
                    start = nil
                }
            }
        }
        #expect(found == [])
    }

    @Test func foundationIsNotImported() throws {
        let found = try problems(Self.swift) { _, line in
            line.contains("import Foundation") && !line.contains("\"import Foundation") ? String(line) : nil
        }
        #expect(found == [])
    }

    @Test func aCLibraryIsImportedByItsWrapperOnly() throws {
        let owners = [
            "CUV": "Sources/UV/", "CSQLite": "Sources/SQLite/", "CSimdJSON": "Sources/JSON/",
            "CUTF8Proc": "Sources/Text/", "CCurses": "Sources/Curses/", "CWebSockets": "Sources/WebSockets/",
        ]
        let found = try problems(Self.swift) { path, line in
            for (module, owner) in owners
            where line.hasSuffix("import \(module)") && !path.hasPrefix(owner) && !path.hasPrefix("Tests/") {
                return String(line)
            }
            return nil
        }
        #expect(found == [])
    }

    @Test func onlyHostsTouchTheLoopInShared() throws {
        let found = try problems(Self.swift) { path, line in
            guard path.hasPrefix("Sources/Shared/"), line.hasSuffix("import UV") else { return nil }
            return path.contains("/Host/") || path.contains("/Mock/") ? nil : String(line)
        }
        #expect(found == [])
    }

    @Test func nothingIsSendableByDecree() throws {
        let words = [
            "@unchecked " + "Sendable", "nonisolated" + "(unsafe)", " async " + "throws", "try" + "! ",
        ]
        let found = try problems(Self.swift) { _, line in words.first { line.contains($0) } }
        #expect(found == [])
    }

    /// Programs count references without atomic operations (decision 18), which is right only for as long as this holds.
    @Test func noSwiftRunsBesideTheLoop() throws {
        let threads = ["pthread_", "DispatchQueue", "Task {", "Task.", " async", "uv_thread"]
        let found = try problems(Self.swift.filter { !$0.hasPrefix("Tests/") }) { _, line in
            if line.drop(while: { $0 == " " }).hasPrefix("//") { return nil }
            let isOther = line.contains("Work.run(") && !line.contains("Work.run(Database.checkpoint, ")
            return isOther || threads.contains { line.contains($0) } ? String(line) : nil
        }
        #expect(found == [])
    }

    @Test func nothingIsLeftOpen() throws {
        let words = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
        let files =
            Self.swift + Repository.files(below: "deploy") + Repository.files(below: "docs", ending: ".md")
        let found = try problems(files) { path, line in
            path.hasPrefix("deploy/catalogs") || line.contains("XXXXXX")
                ? nil : words.first { line.contains($0) }
        }
        #expect(found == [])
    }

    @Test func testsWaitForConditions() throws {
        let words = ["sleep" + "(", "Task." + "sleep"]
        let found = try problems(Self.swift.filter { $0.hasPrefix("Tests/") }) { _, line in
            words.first { line.contains($0) }
        }
        #expect(found == [])
    }

    @Test func aDocumentHasOneTitle() throws {
        for path in Repository.files(below: "docs", ending: ".md") {
            var isCode = false
            var titles = 0
            for line in try Repository.text(path).split(separator: "\n") {
                if line.hasPrefix("```") { isCode.toggle() }
                if !isCode, line.hasPrefix("# ") { titles += 1 }
            }
            #expect(titles == 1, "\(path)")
        }
    }

    @Test func everyFileThatADocumentNamesIsThere() throws {
        let folders = ["Sources", "Tests", "Benchmarks", "Fuzz", "deploy", "docs"]
        let files = Set(folders.flatMap { Repository.files(below: $0) })
        let documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
        for path in documents + Repository.files(below: "docs", ending: ".md") {
            let parts = try Repository.text(path).split(separator: "`", omittingEmptySubsequences: false)
            for (index, word) in parts.enumerated() where !index.isMultiple(of: 2) {
                guard word.contains("/"), !word.contains("*"), !word.contains(" "),
                    [".swift", ".sh", ".json", ".ndjson", ".txt"].contains(where: word.hasSuffix)
                else { continue }
                #expect(files.contains(String(word)) || files.contains("Sources/\(word)"), "\(path): \(word)")
            }
        }
    }

    @Test func theDocumentedErrorsAreTheErrors() throws {
        var documented: [String] = []
        for line in try Repository.text("docs/protocol.md").split(separator: "\n") where line.hasPrefix("|") {
            let cells = line.split(separator: "|").map { $0.filter { $0 != " " && $0 != "`" } }
            guard cells.count == 4, Int(cells[0]) != nil else { continue }
            documented.append("\(cells[0]) \(cells[1]) \(cells[2])")
        }
        let real = ErrorReason.allCases.map { "\($0.code) \($0.rawValue) \($0.isRetryable ? "yes" : "no")" }
        #expect(documented == real)
    }
}
