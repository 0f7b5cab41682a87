import JSON
import Shared

@testable import SelectionService

/// A line as it comes from a client: what the parser accepts is told exactly as it was written.
func fuzzMessages(_ input: [UInt8]) {
    let parser = JSONParser(depthMax: Limits.nestingLevelsMax)
    guard let document = try? parser.parse(input) else { return }
    let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    let trimmed = input.drop { spaces.contains($0) }
    let text = trimmed.dropLast(trimmed.reversed().prefix { spaces.contains($0) }.count)
    must(document.root.raw == text, "the outermost value is not the text without its spaces")
    check(document.root, in: 0..<input.count)

    switch Message(document.root) {
    case .request(let id, _, let params):
        checkId(id, in: input)
        _ = (try? ObjectReader(params)).map { reader in
            var reader = reader
            _ = try? NavigationEvent(reading: &reader)
        }
    case .invalid(let id, _): checkId(id, in: input)
    case .notification, .response: break
    }
}

/// A value and all that is in it.
private func check(_ value: JSONValue, in range: Range<Int>) {
    let raw = value.raw
    must(
        range.lowerBound <= raw.startIndex && raw.endIndex <= range.upperBound,
        "a value is outside of its text")
    must(!raw.isEmpty, "a value has no bytes")
    let inside = raw.startIndex + 1..<max(raw.startIndex + 1, raw.endIndex - 1)
    switch value.kind {
    case .string: checkString(value)
    case .number: _ = (value.int, value.double)
    case .array:
        var count = 0
        for element in value.elements {
            check(element, in: inside)
            count += 1
        }
        must(count == value.count, "an array has \(count) elements and says \(value.count)")
    case .object:
        var count = 0
        for member in value.members {
            check(member.key, in: inside)
            check(member.value, in: inside)
            count += 1
        }
        must(count == value.count, "an object has \(count) members and says \(value.count)")
    case .null, .bool: must((value.bool == nil) == value.isNull, "neither a truth value nor null")
    }
}

/// What was decoded, written and decoded again is the same, and what is written fits a line.
private func checkString(_ value: JSONValue) {
    guard let bytes = value.stringBytes else { fatalError("a string has no text") }
    must(String(validating: bytes, as: UTF8.self) != nil, "a decoded string is no UTF-8")
    var json = JSONWriter()
    json.value(utf8: bytes)
    must(!json.bytes.contains { $0 < 0x20 }, "a control character is not escaped")
    guard let again = try? JSONParser(depthMax: 1).parse(json.bytes).root.stringBytes else {
        fatalError("what was written can't be read")
    }
    must(again == bytes, "a string changes when it is written")
}

private func checkId(_ id: ArraySlice<UInt8>, in input: [UInt8]) {
    guard id != Message.nullId else { return }
    must(Array(input[id.startIndex..<id.endIndex]) == Array(id), "an id is not the bytes that were sent")
}
