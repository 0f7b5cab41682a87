import JSON
import Testing
import TestSupport

@testable import Gateway

@Suite struct JSONPatchTests {
    private func rows(_ ids: [Int], suffix: String = "") -> String {
        "[" + ids.map { #"{"id":"r\#($0)","title":"Row \#($0)\#(suffix)"}"# }.joined(separator: ",") + "]"
    }

    private func patch(_ old: String, _ new: String) throws -> JSONValue {
        let bytes = try #require(JSONPatch.bytes(from: Array(old.utf8), to: Array(new.utf8)))
        return try parse(bytes)
    }

    @Test(arguments: [
        (#"{"a":1,"b":2}"#, #"{"a":1,"b":3}"#, #"[{"op":"replace","path":"/b","value":3}]"#),
        (#"{"a":1}"#, #"{"b":1}"#, #"[{"op":"remove","path":"/a"},{"op":"add","path":"/b","value":1}]"#),
        (#"{"a/b~":[1,2]}"#, #"{"a/b~":[1]}"#, #"[{"op":"remove","path":"/a~1b~0/1"}]"#),
        (
            #"{"a":[1]}"#, #"{"a":[2,3]}"#,
            #"[{"op":"replace","path":"/a/0","value":2},{"op":"add","path":"/a/1","value":3}]"#
        ),
        (#"{"a":{"b":null}}"#, #"{"a":{"b":{}}}"#, #"[{"op":"replace","path":"/a/b","value":{}}]"#),
        ("7", "8", #"[{"op":"replace","path":"","value":8}]"#), ("[1]", "[1]", "[]"),
    ])
    func values(_ old: String, _ new: String, _ expected: String) throws {
        #expect(try patch(old, new).written == expected)
    }

    @Test func oneRowCostsOneOperation() throws {
        let ids = Array(0..<400)
        #expect(
            try patch(rows(ids), rows(Array(ids[..<100]) + [900] + ids[100...])).written
                == #"[{"op":"add","path":"/100","value":{"id":"r900","title":"Row 900"}}]"#)
        #expect(
            try patch(rows(ids), rows(Array(ids[..<200]) + ids[201...])).written
                == #"[{"op":"remove","path":"/200"}]"#)
        let moved = Array(ids[..<50]) + [300] + ids[50..<300] + ids[301...]
        #expect(
            try patch(rows(ids), rows(moved)).written == #"[{"op":"move","from":"/300","path":"/50"}]"#)
    }

    @Test func listsWithLittleInCommonAreToldWhole() throws {
        let found = try patch(rows(Array(0..<50)), rows(Array((0..<50).reversed())))
        #expect(found.count == 1)
    }

    @Test func appliedTheyGiveTheNewText() throws {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let old = Array(0..<Int.random(in: 0...20, using: &random)).shuffled(using: &random)
            var new = old
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let index = new.isEmpty ? 0 : Int.random(in: new.indices, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0 where !new.isEmpty: new.remove(at: index)
                case 1 where !new.isEmpty: new.insert(new.remove(at: index), at: new.count / 2)
                default: new.insert(100 + (new.max() ?? 0), at: index)
                }
            }
            let suffix = Bool.random(using: &random) ? "" : "!"
            let (before, after) = (rows(old), rows(new, suffix: suffix))
            var value = Applied(try parse(before))
            for operation in try patch(before, after).elements { try value.apply(operation) }
            #expect(value.written == after, "seed \(seed)")
        }
    }
}

/// A document that RFC 6902 operations are applied to.
indirect enum Applied {
    case leaf(String)
    case array([Applied])
    case object([(String, Applied)])

    init(_ value: JSONValue) {
        switch value.kind {
        case .array: self = .array(value.elements.map { Applied($0) })
        case .object: self = .object(value.members.map { ($0.name, Applied($0.value)) })
        default: self = .leaf(value.written)
        }
    }

    var written: String {
        switch self {
        case .leaf(let text): text
        case .array(let elements): "[" + elements.map(\.written).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "\"\($0.0)\":\($0.1.written)" }.joined(separator: ",") + "}"
        }
    }

    mutating func apply(_ operation: JSONValue) throws {
        let path = try #require(operation["path"]?.string)
        let tokens = path.split(separator: "/").map { token in
            String(token).replacing("~1", with: "/").replacing("~0", with: "~")
        }
        let value = operation["value"].map { Applied($0) }
        switch operation["op"]?.string {
        case "add": try change(tokens[...], value, isNew: true)
        case "replace": try change(tokens[...], value, isNew: false)
        case "remove": try change(tokens[...], nil, isNew: false)
        default:
            let source = try #require(operation["from"]?.string)
            let from = source.split(separator: "/").map { String($0) }
            let moved = try #require(self[from[...]])
            try change(from[...], nil, isNew: false)
            try change(tokens[...], moved, isNew: true)
        }
    }

    private subscript(path: ArraySlice<String>) -> Applied? {
        guard let token = path.first else { return self }
        switch self {
        case .leaf: return nil
        case .array(let elements): return Int(token).flatMap { elements[$0][path.dropFirst()] }
        case .object(let members): return members.first { $0.0 == token }?.1[path.dropFirst()]
        }
    }

    /// Puts a value at a path, or removes what is there.
    private mutating func change(_ path: ArraySlice<String>, _ value: Applied?, isNew: Bool) throws {
        guard let token = path.first else {
            self = try #require(value)
            return
        }
        let rest = path.dropFirst()
        switch self {
        case .leaf: Issue.record("nothing is inside a scalar")
        case .array(var elements):
            let index = try #require(Int(token))
            if !rest.isEmpty {
                try elements[index].change(rest, value, isNew: isNew)
            } else if let value {
                if isNew { elements.insert(value, at: index) } else { elements[index] = value }
            } else {
                elements.remove(at: index)
            }
            self = .array(elements)
        case .object(var members):
            let index = members.firstIndex { $0.0 == token }
            if !rest.isEmpty {
                let found = try #require(index)
                try members[found].1.change(rest, value, isNew: isNew)
            } else if let value {
                if let index { members[index].1 = value } else { members.append((token, value)) }
            } else {
                members.remove(at: try #require(index))
            }
            self = .object(members)
        }
    }
}
