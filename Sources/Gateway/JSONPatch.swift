import JSON
import Shared

// What turns one JSON text into another, as RFC 6902 says it. Rows are told apart by their `id`, so that one
// that is added, removed or moved costs one operation, however long the list is.

/// Finds patches.
struct JSONPatch: ~Copyable {
    /// The operations, one after the other.
    private var json = JSONWriter()
    private var path: [UInt8] = []

    /// The patch from one text to another; nil if one of them is no JSON.
    static func bytes(from old: [UInt8], to new: [UInt8]) -> [UInt8]? {
        let parser = JSONParser(depthMax: Limits.nestingLevelsMax)
        guard let old = try? parser.parse(old).root, let new = try? parser.parse(new).root else { return nil }
        var patch = JSONPatch()
        patch.compare(old, new)
        return [0x5B] + patch.json.bytes + [0x5D]
    }

    private init() {}

    private mutating func compare(_ old: JSONValue, _ new: JSONValue) {
        guard !old.raw.elementsEqual(new.raw) else { return }
        switch (old.kind, new.kind) {
        case (.object, .object): compareMembers(old, new)
        case (.array, .array): compareElements(old, new)
        default: write("replace", value: new)
        }
    }

    // MARK: Objects

    private mutating func compareMembers(_ old: JSONValue, _ new: JSONValue) {
        func member(_ key: JSONValue, of value: JSONValue) -> JSONValue? {
            guard let name = key.stringBytes else { return nil }
            return value.members.first { $0.key.stringBytes.map { $0.elementsEqual(name) } ?? false }?.value
        }
        for entry in old.members where member(entry.key, of: new) == nil {
            inside(entry.name) { $0.write("remove") }
        }
        for entry in new.members {
            let before = member(entry.key, of: old)
            inside(entry.name) { patch in
                if let before {
                    patch.compare(before, entry.value)
                } else {
                    patch.write("add", value: entry.value)
                }
            }
        }
    }

    // MARK: Arrays

    private mutating func compareElements(_ old: JSONValue, _ new: JSONValue) {
        let (before, after) = (Array(old.elements), Array(new.elements))
        if let oldKeys = Self.keys(before), let newKeys = Self.keys(after) {
            compareRows(before, oldKeys, after, newKeys, new)
        } else {
            for index in 0..<min(before.count, after.count) {
                inside(index) { $0.compare(before[index], after[index]) }
            }
            for index in stride(from: before.count - 1, to: after.count - 1, by: -1) {
                inside(index) { $0.write("remove") }
            }
            for index in min(before.count, after.count)..<after.count {
                inside(index) { $0.write("add", value: after[index]) }
            }
        }
    }

    /// The ids of the elements, if each of them has one of its own.
    private static func keys(_ elements: [JSONValue]) -> [ArraySlice<UInt8>]? {
        var seen: Set<ArraySlice<UInt8>> = []
        var keys: [ArraySlice<UInt8>] = []
        for element in elements {
            guard let key = element["id"]?.stringBytes, seen.insert(key).inserted else { return nil }
            keys.append(key)
        }
        return keys
    }

    private mutating func compareRows(
        _ before: [JSONValue], _ oldKeys: [ArraySlice<UInt8>], _ after: [JSONValue],
        _ newKeys: [ArraySlice<UInt8>], _ whole: JSONValue
    ) {
        let oldIndex = Dictionary(uniqueKeysWithValues: zip(oldKeys, oldKeys.indices))
        let newIndex = Dictionary(uniqueKeysWithValues: zip(newKeys, newKeys.indices))
        let kept = newKeys.compactMap { oldIndex[$0] }
        // What keeps its order stays where it is; all else moves.
        let staying = Set(Self.longestRun(kept).map { oldKeys[$0] })
        let steps = oldKeys.count - kept.count + newKeys.count - staying.count
        // A list that has little in common with the one before is told whole.
        guard steps * 2 <= newKeys.count + 4 else { return write("replace", value: whole) }
        var current = oldKeys
        for index in oldKeys.indices.reversed() where newIndex[oldKeys[index]] == nil {
            inside(index) { $0.write("remove") }
            current.remove(at: index)
        }
        for (index, key) in newKeys.enumerated() where !staying.contains(key) {
            let from = oldIndex[key] == nil ? nil : current.firstIndex(of: key)
            if let from { current.remove(at: from) }
            let target = index == 0 ? 0 : (current.firstIndex(of: newKeys[index - 1]) ?? -1) + 1
            current.insert(key, at: target)
            if let from {
                if from != target { inside(target) { $0.write("move", from: from) } }
            } else {
                inside(target) { $0.write("add", value: after[index]) }
            }
        }
        for (index, key) in newKeys.enumerated() {
            guard let old = oldIndex[key] else { continue }
            inside(index) { $0.compare(before[old], after[index]) }
        }
    }

    /// A longest part of `numbers` that ascends.
    private static func longestRun(_ numbers: [Int]) -> [Int] {
        var ends: [Int] = []  // the index of the least last number of a run of each length
        var previous = [Int](repeating: -1, count: numbers.count)
        for index in numbers.indices {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < numbers[index] { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var run: [Int] = []
        var at = ends.last ?? -1
        while at >= 0 {
            run.append(numbers[at])
            at = previous[at]
        }
        return run.reversed()
    }

    // MARK: Writing

    private mutating func inside(_ name: String, _ body: (inout JSONPatch) -> Void) {
        let length = path.count
        path.append(0x2F)
        for byte in name.utf8 {
            switch byte {
            case 0x7E: path += [0x7E, 0x30]
            case 0x2F: path += [0x7E, 0x31]
            default: path.append(byte)
            }
        }
        body(&self)
        path.removeSubrange(length...)
    }

    private mutating func inside(_ index: Int, _ body: (inout JSONPatch) -> Void) {
        inside("\(index)", body)
    }

    private mutating func write(_ operation: String, value: JSONValue? = nil, from: Int? = nil) {
        json.object { json in
            json.member("op", operation)
            if let from {
                let list = path[..<(path.lastIndex(of: 0x2F) ?? 0)]
                json.key("from")
                json.value(utf8: Array(list) + Array("/\(from)".utf8))
            }
            json.key("path")
            json.value(utf8: path)
            if let value { json.member("value", value) }
        }
    }
}
