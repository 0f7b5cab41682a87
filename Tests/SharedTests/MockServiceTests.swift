import JSON
import Shared
import TestSupport
import Testing

@Suite struct MockServiceTests {
    private let script = """
        # A comment, then two answers to one question.
        --> {"jsonrpc":"2.0","id":1,"method":"get","params":{"a":1}}
        <-- {"jsonrpc":"2.0","id":1,"result":{"n":1}}
        --> {"jsonrpc":"2.0","id":2,"method":"get","params":{"a":1}}
        <-- {"jsonrpc":"2.0","id":2,"result":{"n":2}}
        1--> {"jsonrpc":"2.0","id":3,"method":"subscribe"}
        1<-- {"jsonrpc":"2.0","id":3,"result":{"subscription":"$s","revision":"$r"}}
        1<-- {"jsonrpc":"2.0","method":"changed","params":{"subscription":"$s","seq":1,"revision":"$r"}}
        --> {"jsonrpc":"2.0","id":4,"method":"end","params":{"subscription":"$s"}}
        <-- {"jsonrpc":"2.0","id":4,"result":{}}
        """.split(separator: "\n").map { $0.replacing("1<--", with: "<--") }.joined(separator: "\n")

    @Test func aMockAnswersTheNextThenTheLastAgain() throws {
        let harness = try Harness()
        defer { harness.finish() }
        let mock = try harness.mock("catalog", script)
        let client = try harness.connect("catalog")
        #expect(try (0..<3).map { _ in try client.call("get", #"{"a":1}"#)["n"]?.int } == [1, 2, 2])
        #expect(mock.unexpected == [])
    }

    @Test func namesKeepWhatTheyStandFor() throws {
        let harness = try Harness()
        defer { harness.finish() }
        let mock = try harness.mock("catalog", script)
        let client = try harness.connect("catalog")
        let result = try client.call("subscribe")
        let subscription = try #require(result["subscription"]?.string)
        let event = try client.message()["params"]
        #expect(event?["subscription"]?.string == subscription)
        #expect(event?["revision"]?.int == result["revision"]?.int)
        #expect(try client.respond("end", #"{"subscription":"other"}"#)["error"] != nil)
        #expect(try client.call("end", #"{"subscription":"\#(subscription)"}"#).count == 0)
        #expect(mock.unexpected.count == 1)
    }

    @Test func whatTheScriptDoesNotHaveIsRefusedAndKept() throws {
        let harness = try Harness()
        defer { harness.finish() }
        let mock = try harness.mock("catalog", script)
        let client = try harness.connect("catalog")
        for params in [#"{"a":2}"#, #"{"a":1,"b":2}"#, "{}"] {
            #expect(try client.respond("get", params)["error"]?["code"]?.int == -32603)
        }
        #expect(mock.unexpected.count == 3)
    }

    @Test func aScriptNamesTheLineThatIsNone() {
        #expect(throws: ContractScript.Failure.self) { try ContractScript("--> {}\n<- {}") }
        do { _ = try ContractScript("--> {}\n<- {}") } catch {
            #expect(error.description == "line 2 is neither --> nor <-- with a JSON text")
        }
    }

    @Test(arguments: [
        (#"{"a":"$any","b":[1,2.0]}"#, #"{"b":[1.0,2],"a":{"x":1}}"#, nil as String?),
        (#"{"a":"$x","b":"$x"}"#, #"{"a":[1],"b":[1]}"#, nil),
        (#"{"a":"$x","b":"$x"}"#, #"{"a":1,"b":2}"#, "at /b: 1 is not 2"),
        (#"{"a":1}"#, #"{"a":1,"b":2}"#, #"at /: {"a":1} is not {"a":1,"b":2}"#),
        (#"{"a":[1,2]}"#, #"{"a":[1,3]}"#, "at /a/1: 2 is not 3"),
        (#"[true]"#, "[1]", "at /0: true is not 1"),
    ])
    func aPatternFitsOrSaysWhereItDoesNot(pattern: String, value: String, difference: String?) throws {
        let parser = JSONParser(depthMax: 9)
        let (left, right) = (try parser.parse(Array(pattern.utf8)), try parser.parse(Array(value.utf8)))
        var bindings = Bindings()
        #expect(bindings.mismatch(left.root, right.root) == difference)
    }
}
