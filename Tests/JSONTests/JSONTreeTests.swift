import JSON
import Testing

@Suite struct JSONTreeTests {
    private func tree(_ text: String) throws -> JSONTree {
        JSONTree(try JSONParser(depthMax: 64).parse(Array(text.utf8)).root)
    }

    private func text(_ tree: JSONTree) -> String {
        var json = JSONWriter()
        json.value(tree)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func patched(_ document: String, _ patch: String) throws -> String {
        var tree = try tree(document)
        try tree.apply(try self.tree(patch))
        return text(tree)
    }

    @Test(arguments: [
        #"{"b":1.50,"a":[null,true,false,"x\n\u0000"],"c":{}}"#, "1e3", "[]", #"{"é":1,"é":2}"#,
    ]) func aValueIsWrittenAsItCame(json: String) throws {
        #expect(text(try tree(json)) == json)
    }

    @Test(arguments: [
        (#"{"a":1}"#, #"[{"op":"add","path":"/b","value":2}]"#, #"{"a":1,"b":2}"#),
        (#"{"a":1}"#, #"[{"op":"add","path":"/a","value":null}]"#, #"{"a":null}"#),
        (#"[1,3]"#, #"[{"op":"add","path":"/1","value":2}]"#, "[1,2,3]"),
        (#"[1]"#, #"[{"op":"add","path":"/-","value":2},{"op":"add","path":"/2","value":3}]"#, "[1,2,3]"),
        (#"{"a":{"b":[0,1]}}"#, #"[{"op":"replace","path":"/a/b/1","value":"x"}]"#, #"{"a":{"b":[0,"x"]}}"#),
        (#"{"a":1,"b":2}"#, #"[{"op":"remove","path":"/a"}]"#, #"{"b":2}"#),
        (#"[1,2,3]"#, #"[{"op":"move","from":"/0","path":"/2"}]"#, "[2,3,1]"),
        (#"{"a":{"x":1},"b":{}}"#, #"[{"op":"move","from":"/a/x","path":"/b/y"}]"#, #"{"a":{},"b":{"y":1}}"#),
        (#"{"~":{"/":1}}"#, #"[{"op":"replace","path":"/~0/~1","value":2}]"#, #"{"~":{"/":2}}"#),
        (#"{"":1}"#, #"[{"op":"replace","path":"/","value":2}]"#, #"{"":2}"#),
        (#"{"a":1}"#, #"[{"op":"replace","path":"","value":[]}]"#, "[]"),
        (#"{"e\u0301":1,"é":2}"#, #"[{"op":"replace","path":"/é","value":3}]"#, "{\"e\u{301}\":1,\"é\":3}"),
    ]) func aPatchChangesWhatItSpeaksOf(document: String, patch: String, result: String) throws {
        #expect(try patched(document, patch) == result)
    }

    @Test(arguments: [
        #"[{"op":"replace","path":"/c","value":1}]"#, #"[{"op":"remove","path":"/c"}]"#,
        #"[{"op":"remove","path":"/b/2"}]"#, #"[{"op":"add","path":"/b/3","value":1}]"#,
        #"[{"op":"add","path":"/b/01","value":1}]"#, #"[{"op":"add","path":"/b/-1","value":1}]"#,
        #"[{"op":"replace","path":"/b/-","value":1}]"#, #"[{"op":"add","path":"/a/x","value":1}]"#,
        #"[{"op":"add","path":"/a"}]"#, #"[{"op":"add","path":"a","value":1}]"#,
        #"[{"op":"add","path":"/~2","value":1}]"#, #"[{"op":"add","path":"/~","value":1}]"#,
        #"[{"op":"move","from":"/b","path":"/b/0"}]"#, #"[{"op":"move","path":"/b/0"}]"#,
        #"[{"op":"twist","path":"/a","value":1}]"#, #"{"op":"remove","path":"/a"}"#, "[1]",
    ]) func aPatchThatIsNotForTheValueChangesNothing(patch: String) throws {
        let document = #"{"a":1,"b":[1,2]}"#
        let before = try tree(document)
        let whole = try tree(#"[{"op":"replace","path":"/a","value":9}]"#)
        guard case .array(let good) = whole else { return }
        let wrong = try tree(patch)
        var tree = before
        if !wrong.elements.isEmpty {
            // What could be applied before it is not.
            #expect(throws: JSONTree.PatchFailure.self) { try tree.apply(.array(good + wrong.elements)) }
            #expect(tree == before)
        }
        #expect(throws: JSONTree.PatchFailure.self) { try tree.apply(wrong) }
        #expect(tree == before)
    }
}
