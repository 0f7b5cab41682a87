import Shared
import TestSupport
import Testing

@testable import CatalogService

@Suite struct CursorTests {
    private func mark(
        _ catalog: Identifier = "k", _ category: Identifier? = "a", isGrouped: Bool = false,
        query: String = "",
        sort: Sort = Sort()
    ) -> Cursor.Mark {
        Cursor.Mark(catalog: catalog, category: category, isGrouped: isGrouped, query: query, sort: sort)
    }

    @Test(arguments: [
        Cursor.Position(group: nil, key: [], id: ""),
        Cursor.Position(group: nil, key: [0, 255], id: "e\u{301}\0"),
        Cursor.Position(group: Place(numbers: [7, -9]), key: [1], id: "x"),
    ])
    func aCursorComesBack(_ position: Cursor.Position) {
        let cursor = Cursor(position, of: mark())
        #expect(Cursor(cursor.text, of: mark()) == cursor)
    }

    @Test func aCursorOfAnotherListIsRefused() {
        let text = Cursor(Cursor.Position(group: nil, key: [1], id: "x"), of: mark()).text
        let others = [
            mark("l"), mark("k", "b"), mark("k", nil), mark("k", nil, isGrouped: true), mark(query: "x"),
            mark(sort: Sort(by: .title)), mark(sort: Sort(descending: true)),
        ]
        for other in others { #expect(Cursor(text, of: other) == nil) }
        for rubbish in [
            "", "rubbish", text + "=", String(text.dropFirst()), "\u{E9}", String(text.prefix(12)),
        ] {
            #expect(Cursor(rubbish, of: mark()) == nil, "\(rubbish)")
        }
    }

    @Test func everyByteComesBackFromBase64() {
        for count in 0..<20 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 200) }
            #expect(Base64URL.decoded(Base64URL.encoded(bytes)) == bytes)
        }
        #expect(Base64URL.encoded([0xFB, 0xFF]) == "-_8")
        #expect(Base64URL.decoded("-_9") == nil)
    }
}
