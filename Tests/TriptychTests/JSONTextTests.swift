import JSON
import Shared
import Testing

@testable import Triptych

@Suite struct JSONTextTests {
    @Test func spacesAreLeftOutAndScalarsStayAsTheyWere() throws {
        let value = try json("{ \"a\\u0041\" : [ 1.0 , \"x\\n y\" , { } , [ ] ],\n\"b\":null}")
        #expect(JSONText.compact(value) == #"{"aA":[1.0,"x\n y",{},[]],"b":null}"#)
    }

    @Test func indentedTextHasALineForEachValue() throws {
        let value = try json(#"{"a":[1,{"b":true}],"c":{},"d":[]}"#)
        #expect(
            JSONText.indented(value) == """
                {
                  "a": [
                    1,
                    {
                      "b": true
                    }
                  ],
                  "c": {},
                  "d": []
                }
                """)
    }

    @Test(arguments: [
        ("{\"a\":1,}", 1, 8, "a name in quotes is expected"),
        ("[1\n 2]", 2, 2, "a comma or \"]\" is expected"),
        ("{\"a\" 1}", 1, 6, "a colon is expected"), ("[01]", 1, 2, "a value is expected"),
        ("{\"é\": \"x", 1, 9, "the text ends inside quotes"), ("", 1, 1, "the text ends too early"),
        ("[1] 2", 1, 5, "there is more behind the end of the value"),
        ("[\"a\n\"]", 1, 4, "a text may not contain a line end or another control"),
    ])
    func aFaultIsFoundWithItsPlace(text: String, line: Int, column: Int, message: String) {
        #expect(
            JSONFault.find(in: Array(text.utf8)) == JSONFault(line: line, column: column, message: message))
    }

    @Test func whatAPersonTypesIsAnObject() {
        #expect(
            failure { () throws(StartFailure) in _ = try JSONText.object("[1]", called: "EVENT") }
                == "EVENT is a JSON object, such as {\"a\":1}")
    }
}
