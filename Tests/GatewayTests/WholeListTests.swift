import JSON
import Testing

@testable import Gateway
@testable import Shared

/// A window that is its whole list is known for every item that it is asked around.
@Suite struct WholeListTests {
    private func question(_ place: PageQuestion.Place?) -> CatalogQuestion {
        .page(PageQuestion(catalog: "c", place: place, limit: 50))
    }

    private func answer(_ revision: Int, before: String = "null", around: String = "null") throws
        -> CatalogAnswer
    {
        let rows = #"[{"id":"a","title":"A"},{"id":"b","title":"B"}]"#
        let text =
            #"{"revision":\#(revision),"total":2,"totalCapped":false,"first":0,"items":\#(rows),"#
            + #""before":\#(before),"after":null,"aroundIndex":\#(around)}"#
        let result = try JSONParser(depthMax: 8).parse(Array(text.utf8)).root
        return .page(try #require(ItemPage(result)))
    }

    private func index(_ answer: CatalogAnswer?) -> Int? {
        if case .page(let page)? = answer { page.aroundIndex } else { nil }
    }

    @Test func itIsKnownAroundEachItem() throws {
        var knowledge = PeerKnowledge()
        knowledge.keep(try answer(3, around: "0"), to: question(.around("a")))
        #expect(index(knowledge.lastAnswer(question(.around("a")))) == 0)
        #expect(index(knowledge.lastAnswer(question(.around("b")))) == 1)
        let other = knowledge.lastAnswer(question(.around("elsewhere")))
        #expect(other?.revision == 3)
        #expect(index(other) == nil)
        #expect(index(knowledge.lastAnswer(question(nil))) == nil)
        #expect(knowledge.counts.answers == 1)
        #expect(knowledge.lastAnswer(question(.after("x"))) == nil)
        knowledge.forget(question(.around("a")))
        #expect(knowledge.lastAnswer(question(.around("b"))) == nil)
    }

    @Test func aPartIsKnownAroundItsItemAlone() throws {
        var knowledge = PeerKnowledge()
        knowledge.keep(try answer(3, before: #""x""#, around: "7"), to: question(.around("a")))
        #expect(index(knowledge.lastAnswer(question(.around("a")))) == 7)
        #expect(knowledge.lastAnswer(question(.around("b"))) == nil)
    }

    @Test func aListThatHasGrownIsNoLongerWhole() throws {
        var knowledge = PeerKnowledge()
        knowledge.keep(try answer(3, around: "0"), to: question(.around("a")))
        knowledge.keep(try answer(4, before: #""x""#, around: "9"), to: question(.around("a")))
        #expect(index(knowledge.lastAnswer(question(.around("a")))) == 9)
        knowledge.keep(try answer(5, around: "0"), to: question(.around("a")))
        #expect(index(knowledge.lastAnswer(question(.around("a")))) == 0)
    }
}
