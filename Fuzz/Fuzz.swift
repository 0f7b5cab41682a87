import Glibc

/// What is fuzzed: bytes in, a trap with a sentence if something is not as it must be.
enum Target: String, CaseIterable {
    case lines, messages, navigation, words

    func run(_ input: [UInt8]) {
        switch self {
        case .lines: fuzzLines(input)
        case .messages: fuzzMessages(input)
        case .navigation: fuzzNavigation(input)
        case .words: fuzzWords(input)
        }
    }

    /// The one that `FUZZ_TARGET` names.
    static let chosen: Target = {
        let name = unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) } ?? "none"
        guard let target = Target(rawValue: name) else {
            fatalError(
                "FUZZ_TARGET is \(name): name one of \(allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return target
    }()
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    Target.chosen.run(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

/// Traps unless it holds, in every build.
func must(_ condition: Bool, _ sentence: @autoclosure () -> String) {
    if !condition { fatalError(sentence()) }
}
