import Glibc
import JSON
import Shared
import TestSupport
import Testing

@testable import Triptych

/// A catalog service that answers what a test wants, and what it was asked.
private struct Bench {
    let harness: Harness
    let mock: MockService

    init(_ respond: @escaping (_ index: Int, _ method: String, _ params: JSONValue?) -> String) throws {
        harness = try Harness()
        mock = try harness.mock("catalog")
        var index = 0
        mock.responder = { method, params, id in
            defer { index += 1 }
            let answer = respond(index, method, params)
            return [Array(#"{"jsonrpc":"2.0","id":\#(String(decoding: id, as: UTF8.self)),\#(answer)}"#.utf8)]
        }
    }

    /// Imports files of these texts and gives the totals.
    func run(_ words: [String] = [], _ texts: String...) throws -> Importer.Totals {
        var files: [String] = []
        for (index, text) in texts.enumerated() {
            let path = "\(harness.directory)/\(index + 1)"
            let descriptor = unsafe open(path, O_WRONLY | O_CREAT, 0o600)
            try #require(descriptor >= 0)
            writeAll(Array(text.utf8), to: descriptor)
            close(descriptor)
            files.append(path)
        }
        defer { for file in files { _ = unsafe unlink(file) } }
        let arguments = try Arguments(words + files, options: Command.import.allOptions)
        let peer = try Peer("catalog", path: harness.socket("catalog"), on: harness.loop)
        defer { peer.close() }
        let importer = Importer(peer, replaces: arguments.has("replace"))
        try ImportJob(arguments).run(importer, Progress(isShown: false))
        return importer.totals
    }

    /// Methods, and for sets the catalog and the number of changes.
    var asked: [String] {
        mock.received.map { line in
            guard let request = try? json(line), let params = request["params"] else { return line }
            let count = params["changes"].map { " \($0.count)" } ?? ""
            return "\(request["method"]?.string ?? "?") \(params["catalog"]?.string ?? "?")\(count)"
        }
    }
}

private func refusal(_ code: Int, _ reason: String, path: String? = nil) -> String {
    let message = path.map { " \($0)" } ?? ""
    let path = path.map { #","path":"\#($0)""# } ?? ""
    return
        #""error":{"code":\#(code),"message":"No\#(message).","data":{"reason":"\#(reason)","retryable":false\#(path)}}"#
}

private func items(_ count: Int) -> String {
    let items = (0..<count).map { #"{"id":"i\#($0)","title":"I","categories":["A"]}"# }
    return
        "{\"catalog\":{\"id\":\"c\",\"title\":\"C\"},\"categories\":[],\"items\":[\n"
        + items.joined(separator: ",\n") + "]}"
}

@Suite struct ImporterTests {
    @Test func aFileIsAppliedInSets() throws {
        let bench = try Bench { index, _, _ in #""result":{"revision":\#(index + 7)}"# }
        defer { bench.harness.finish() }
        let totals = try bench.run([], items(150), #"{"catalog":{"id":"d","title":"D"}}"#)
        #expect(
            bench.asked == [
                "catalog.apply c 64", "catalog.apply c 64", "catalog.apply c 23", "catalog.apply d 1",
            ])
        #expect(totals == Importer.Totals(changes: 152, revision: 10, catalogs: ["c", "d"]))
        #expect(totals.summary(seconds: 1.25) == "c, d: 152 changes in 1.2 s, revision 10")
    }

    @Test func aSetHasABoundInBytes() throws {
        let bench = try Bench { _, _, _ in #""result":{"revision":1}"# }
        defer { bench.harness.finish() }
        let text = String(repeating: "x", count: 30_000)
        let lines = (0..<5).map { #"{"op":"putItem","item":{"id":"i\#($0)","text":"\#(text)"}}"# }
        _ = try bench.run(["--catalog", "c"], lines.joined(separator: "\n"))
        #expect(bench.asked == ["catalog.apply c 2", "catalog.apply c 2", "catalog.apply c 1"])
        #expect(bench.mock.received.allSatisfy { $0.utf8.count <= Limits.incomingLineBytesMax })
    }

    @Test func aRefusalNamesTheLine() throws {
        let bench = try Bench { index, _, _ in
            index == 1
                ? refusal(-32602, "invalid_params", path: "/changes/3/item/title")
                : #""result":{"revision":1}"#
        }
        defer { bench.harness.finish() }
        let file = "\(bench.harness.directory)/1"
        // The second set begins with change 64, which is item 63, which is in line 65.
        #expect {
            _ = try bench.run([], items(150))
        } throws: { error in
            (error as? StartFailure)?.message
                == "\(file):68: No /item/title. 87 changes are applied, no others: mend it, then import again."
                && (error as? StartFailure)?.status == .data
        }
    }

    @Test func aRefusalWithoutAPathNamesTheLinesOfTheSet() throws {
        let bench = try Bench { _, _, _ in refusal(-32007, "storage") }
        defer { bench.harness.finish() }
        let file = "\(bench.harness.directory)/1"
        #expect {
            _ = try bench.run(["--catalog", "c"], "{\"op\":\"a\"}\n{\"op\":\"b\"}\n")
        } throws: { error in
            (error as? StartFailure)?.message
                == "\(file):1-2: No. Nothing is applied: import again."
        }
    }

    @Test func nothingFollowsARefusedChangeThatOthersBuildOn() throws {
        let bench = try Bench { _, _, _ in refusal(1001, "not_found", path: "/changes/0/id") }
        defer { bench.harness.finish() }
        let lines = (0..<1_000).map { #"{"op":"deleteItem","id":"i\#($0)"}"# }
        #expect(throws: StartFailure.self) {
            _ = try bench.run(["--catalog", "c"], lines.joined(separator: "\n"))
        }
        #expect(bench.asked == ["catalog.apply c 64"])
    }

    @Test func aCatalogIsDroppedOnceBeforeItIsReplaced() throws {
        let bench = try Bench { _, method, _ in
            method == "catalog.drop" ? refusal(1001, "not_found") : #""result":{"revision":1}"#
        }
        defer { bench.harness.finish() }
        _ = try bench.run(["--replace"], items(100))
        #expect(bench.asked == ["catalog.drop c", "catalog.apply c 64", "catalog.apply c 37"])
    }

    @Test func aLostServiceEndsTheImport() throws {
        let harness = try Harness()
        defer { harness.finish() }
        #expect {
            _ = try Peer("catalog", path: harness.socket("catalog"), on: harness.loop)
        } throws: { error in
            (error as? StartFailure)?.message
                == "no catalog at \(harness.socket("catalog")): start it with deploy/run-all.sh"
        }
    }

    @Test func progressHasABarWhereTheWholeIsKnown() {
        #expect(
            Progress.line(name: "a/b.json", part: 0.5, changes: 12_345, seconds: 2, columns: 100)
                == "████████████░░░░░░░░░░░░ 50 %  12,345 rows, 6,172 a second  b.json")
        #expect(
            Progress.line(name: "standard input", part: nil, changes: 7, seconds: 0.1, columns: 12)
                == "7 rows  sta…")
    }
}
