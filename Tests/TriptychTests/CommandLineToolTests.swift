import JSON
import Shared
import TestSupport
import Testing

@testable import Triptych

@Suite struct CommandLineToolTests {
    @Test(arguments: [
        [], ["nothing"], ["view", "operand"], ["view", "--width", "7"], ["view", "--width", "wide"],
        ["view", "--nope"],
        ["send"], ["send", "[]"], ["send", "{"], ["call", "catalog"], ["call", "catalog", "m", "1"],
        ["import"],
        ["import", "--format", "xml", "x"], ["import", "--catalog", "", "x"], ["mock", "script"],
        ["mock", "--socket", "/tmp/x"],
    ])
    func aCommandLineThatCannotBeMeantIsAUsageError(words: [String]) {
        #expect(CommandLineTool.run(words) == StartFailure.Status.usage.rawValue)
    }

    @Test(arguments: [["--help"], ["--version"], ["mock", "--help"]])
    func helpIsNoError(words: [String]) {
        #expect(CommandLineTool.run(words) == 0)
    }

    @Test(arguments: ["view", "import"])
    func aServiceThatIsNotThereIsUnavailable(command: String) {
        let words =
            [command, "--run", "/tmp/triptych-nowhere"] + (command == "import" ? ["/etc/hostname"] : [])
        #expect(CommandLineTool.run(words) == StartFailure.Status.unavailable.rawValue)
    }

    @Test func everyCommandSaysHowItIsUsed() {
        for command in CommandLineTool.commands {
            #expect(command.help.hasPrefix("usage: triptych \(command.name) "))
            #expect(command.help.contains("--run DIR"))
            #expect(command.summary.hasSuffix("."))
        }
    }

    @Test func theDocumentNamesEveryCommandAndOption() throws {
        let document = try Repository.text("docs/command-line.md") + Repository.text("docs/importing.md")
        for command in CommandLineTool.commands {
            #expect(
                document.contains("`triptych \(command.name) ")
                    || document.contains("`triptych \(command.name)`"))
            for option in command.allOptions {
                let name = option.usage.split(separator: " ")[0].split(separator: "\n")[0]
                #expect(document.contains(name), "\(command.name) \(name)")
            }
        }
    }

    @Test func theRunDirectoryNamesTheSockets() throws {
        let options = Command.view.allOptions
        #expect(try Arguments(["--run", "/x"], options: options).socket(of: "gateway") == "/x/gateway.sock")
        #expect(try Arguments([], options: options).socket(of: "gateway") == Paths.socket(of: "gateway"))
    }
}

@Suite struct SampleCatalogTests {
    private static func file(_ name: String) throws -> JSONValue {
        try json(Repository.text("deploy/catalogs/\(name).json"))
    }

    private func array(_ value: JSONValue?) -> [JSONValue] { value.map { Array($0.elements) } ?? [] }

    @Test(arguments: [("recipes", 6, 30), ("bands", 8, 40), ("folders", 10, 15), ("notes", 4, 12)])
    func everySampleHoldsTogether(name: String, categoriesMin: Int, itemsMin: Int) throws {
        let file = try Self.file(name)
        let categories = array(file["categories"])
        let items = array(file["items"])
        #expect(file["catalog"]?["id"]?.string == name)
        #expect(categories.count >= categoriesMin)
        #expect(items.count >= itemsMin)
        let categoryIds = Set(categories.compactMap { $0["id"]?.string })
        let itemIds = Set(items.compactMap { $0["id"]?.string })
        #expect(categoryIds.count == categories.count)
        #expect(itemIds.count == items.count)
        var seen: Set<String> = []
        for category in categories {
            // A parent stands before its children.
            if let parent = category["parent"]?.string { #expect(seen.contains(parent)) }
            seen.insert(category["id"]?.string ?? "")
        }
        for item in items {
            let own = array(item["categories"]).compactMap(\.string)
            #expect(!own.isEmpty && categoryIds.isSuperset(of: own), "\(item["id"]?.string ?? "?")")
            #expect(item["blocks"].map { $0.count > 0 } == true)
            for link in array(item["blocks"]).flatMap({ array($0["links"]) }) {
                #expect(itemIds.contains(link["item"]?.string ?? ""), "\(item["id"]?.string ?? "?")")
            }
        }
    }

    @Test func theFirstSampleHasTheRecipeThatTheDocumentsSpeakOf() throws {
        let recipes = try Self.file("recipes")
        let shakshuka = array(recipes["items"]).first { $0["id"]?.string == "shakshuka" }
        #expect(shakshuka.map { array($0["categories"]).compactMap(\.string) } == ["breakfast"])
    }

    @Test func foldersAreNestedThreeDeep() throws {
        var depth: [String: Int] = [:]
        for category in array(try Self.file("folders")["categories"]) {
            depth[category["id"]?.string ?? ""] = (category["parent"]?.string.flatMap { depth[$0] } ?? 0) + 1
        }
        #expect(depth.values.max() == 3)
    }
}
