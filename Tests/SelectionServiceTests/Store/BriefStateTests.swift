import JSON
import Shared
import TestSupport
import Testing

@testable import SelectionService

@Suite struct BriefStateTests {
    private func brief(_ state: SessionState) -> [UInt8] {
        var json = JSONWriter()
        state.writeBriefly(to: &json)
        return json.bytes
    }

    private func read(_ bytes: [UInt8]) throws -> SessionState? {
        SessionState.readBriefly(try JSONParser(depthMax: 64).parse(bytes).root)
    }

    @Test func whatIsUsualIsLeftOut() throws {
        var state = try Window(.sample, Say.category("A"), Say.item("a1")).state
        state.revision = 7
        #expect(
            String(decoding: brief(state), as: UTF8.self)
                == #"{"session":"s","catalog":"c","revision":7,"category":"A","items":["a1"]}"#)
        #expect(
            String(decoding: brief(SessionState(session: "s")), as: UTF8.self)
                == #"{"session":"s","revision":0}"#)
    }

    @Test func whateverIsWrittenIsReadAgainAndSoIsWhatEarlierVersionsWrote() throws {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        let source = RandomEvents(.sample)
        var session = Session("s", catalog: "c")
        for _ in 0..<2_000 {
            let event = source.next(&random)
            _ = try? session.reduce(
                event, Catalog.sample.facts(about: event.needs(of: session, columns: 3)))
            session.state.revision += 1
            var expected = session.state
            (expected.canGoBack, expected.canGoForward) = (false, false)
            #expect(try read(brief(session.state)) == expected, "seed \(seed)")
            var json = JSONWriter()
            session.state.write(to: &json)
            #expect(try read(json.bytes) == expected, "seed \(seed)")
        }
    }

    @Test func theBeginningOfAToldStateIsTheStateIfTheRestIsUsual() throws {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        let source = RandomEvents(.sample)
        let names: [Identifier] = ["s", "\"", "a\\\"", "\u{2028}é", #"x","paths":{"#]
        for name in names {
            var session = Session(name, catalog: "c")
            var counts = [false: 0, true: 0]
            for step in 0..<500 {
                // What is unusual mostly stays: a session that begins anew is usual again.
                if step.isMultiple(of: 10) { session = Session(name, catalog: "c") }
                let event = source.next(&random)
                _ = try? session.reduce(
                    event, Catalog.sample.facts(about: event.needs(of: session, columns: 3)))
                var told = JSONWriter()
                session.state.write(to: &told)
                var plain = SessionState(session: name, catalog: "c")
                (plain.category, plain.items) = (session.state.category, session.state.items)
                var expected = session.state
                (expected.canGoBack, expected.canGoForward) = (false, false)
                let isUsual = plain == expected
                counts[isUsual, default: 0] += 1
                // As a part of something longer.
                let all = [0x5B] + told.bytes + [0x5D]
                let beginning = ToldState(all[1..<all.count - 1])
                #expect((beginning != nil) == isUsual, "seed \(seed)")
                guard let beginning else { continue }
                var json = JSONWriter()
                let place = beginning.writeBriefly(to: &json)
                #expect(try read(json.bytes) == expected, "seed \(seed)")
                var id = JSONWriter()
                id.value(name.text)
                #expect(Array(json.bytes[place]) == id.bytes, "seed \(seed)")
            }
            #expect(counts[true] ?? 0 > 0 && counts[false] ?? 0 > 0, "seed \(seed)")
        }
    }

    @Test(arguments: [
        "[]", #"{"session":"s"}"#, #"{"revision":1}"#, #"{"session":"s","revision":1,"items":"a1"}"#,
        #"{"session":"s","revision":1,"paths":{"detail":1}}"#,
        #"{"session":"s","revision":1,"visibility":"x"}"#,
        #"{"session":"s","revision":1,"query":{"scope":"x"}}"#,
        #"{"session":"s","revision":1,"sort":{"by":3}}"#, #"{"session":"s","revision":1,"expanded":{}}"#,
    ])
    func somethingElseIsNoState(_ text: String) throws { #expect(try read(Array(text.utf8)) == nil) }
}
