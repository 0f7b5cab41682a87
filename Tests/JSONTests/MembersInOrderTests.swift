import JSON
import Testing

@Suite struct MembersInOrderTests {
    @Test(arguments: [
        #"{"a":1,"b":[2],"c":3}"#, #"{"c":3,"b":[2],"a":1}"#, #"{"x":0,"a":1,"y":0,"b":[2],"c":3}"#,
    ])
    func membersAreFoundInAnyOrder(text: String) throws {
        var members = try JSONParser(depthMax: 4).parse(Array(text.utf8)).root.inOrder
        #expect(members.take("a")?.int == 1)
        #expect(members.take("z") == nil)
        #expect(members.take("b")?.count == 1)
        #expect(members.take("c")?.int == 3)
        #expect(members.take("d") == nil)
    }

    @Test func whatIsNoObjectHasNone() throws {
        var members = try JSONParser(depthMax: 4).parse(Array("[1]".utf8)).root.inOrder
        #expect(members.take("a") == nil)
    }
}
