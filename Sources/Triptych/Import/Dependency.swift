/// A package that another one needs, as `Depends` and its like name it.
struct Dependency: Equatable {
    /// The package.
    let package: String
    /// How it was written: `libc6 (>= 2.34)`; for the second of several choices `or mawk`.
    let title: String

    /// Reads a relationship field, each package once.
    ///
    /// `a (>= 1) | b:any [amd64], c` is a or b, and c.
    static func parse(_ field: String) -> [Dependency] {
        var found: [Dependency] = []
        var known: Set<Substring> = []
        for group in field.split(separator: ",") {
            var isFirst = true
            for choice in group.split(separator: "|") {
                // The field may be folded, so that line ends stand for spaces.
                let words = choice.split { $0 == " " || $0 == "\n" || $0 == "\t" }
                guard let word = words.first else { continue }
                // "(" may follow the name without a space.
                let name = word.prefix { $0 != ":" && $0 != "(" && $0 != "[" && $0 != "<" }
                guard !name.isEmpty, known.insert(name).inserted else { continue }
                let text = words.joined(separator: " ")
                found.append(Dependency(package: String(name), title: isFirst ? text : "or \(text)"))
                isFirst = false
            }
        }
        return found
    }
}
