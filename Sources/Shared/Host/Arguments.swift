// Options of a command line: `--name VALUE`, `--name=VALUE`, `--flag`, and operands.

/// A command line that was taken apart.
public struct Arguments {
    /// One option that a program has.
    public struct Option: Sendable {
        let name: String
        /// What its value is called in the help; nil for a flag.
        let value: String?
        let help: String

        /// Describes `--name VALUE`, or a flag if `value` is nil.
        public init(_ name: String, value: String? = nil, _ help: String) {
            (self.name, self.value, self.help) = (name, value, help)
        }

        /// The two lines of help.
        public var usage: String { "  --\(name)\(value.map { " \($0)" } ?? "")\n      \(help)" }
    }

    /// Why a command line can't be used.
    public struct Failure: Error {
        /// A sentence that says what is wrong.
        public let message: String

        /// Makes a failure.
        public init(message: String) { self.message = message }
    }

    private var values: [String: [String]] = [:]
    /// What is no option.
    public private(set) var operands: [String] = []

    /// Takes a command line apart; behind `--` all are operands.
    ///
    /// - Throws: `Failure` for an unknown option or a missing value.
    public init(_ words: some Sequence<String>, options: [Option]) throws(Failure) {
        var iterator = words.makeIterator()
        while let word = iterator.next() {
            guard word.hasPrefix("--") else {
                operands.append(word)
                continue
            }
            if word == "--" {
                while let operand = iterator.next() { operands.append(operand) }
                return
            }
            let parts = word.dropFirst(2).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard let option = options.first(where: { $0.name == name }) else {
                throw Failure(message: "there is no option --\(name); see --help")
            }
            if option.value == nil {
                guard parts.count == 1 else { throw Failure(message: "--\(name) takes no value") }
                values[name, default: []].append("")
            } else if parts.count == 2 {
                values[name, default: []].append(String(parts[1]))
            } else if let value = iterator.next() {
                values[name, default: []].append(value)
            } else {
                throw Failure(message: "--\(name) needs a value")
            }
        }
    }

    /// Whether a flag was given.
    public func has(_ name: String) -> Bool { values[name] != nil }

    /// The last value that was given for an option.
    public subscript(name: String) -> String? { values[name]?.last }

    /// All values that were given for an option.
    public func all(_ name: String) -> [String] { values[name] ?? [] }
}
