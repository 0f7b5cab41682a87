import Shared

/// Changes of one catalog from one source that are applied all together or not at all.
struct ChangeSet: Equatable {
    /// The catalog that is changed.
    let catalog: String
    /// Where it was read.
    let source: String
    /// The changes, with commas between them.
    private(set) var json: [UInt8] = []
    /// The line of each change.
    private(set) var lines: [Int] = []
    /// Whether all of them stand for themselves.
    private(set) var areRows = true

    init(catalog: String, source: String) { (self.catalog, self.source) = (catalog, source) }

    /// Whether a change still belongs here.
    func hasRoom(for change: Change) -> Bool {
        catalog == change.catalog && lines.count < Limits.changesPerSetMax
            && (lines.isEmpty || json.count + change.json.count < Limits.changeSetBytesMax)
    }

    mutating func append(_ change: Change) {
        if !lines.isEmpty { json.append(UInt8(ascii: ",")) }
        json.append(contentsOf: change.json)
        lines.append(change.line)
        areRows = areRows && change.isRow
    }

    /// Says where a refusal of this set points to, and what it says.
    func describe(_ error: RPCError) -> String {
        let prefix = "/changes/"
        if let path = error.path, path.hasPrefix(prefix),
            let index = Int(path.dropFirst(prefix.count).prefix { $0 != "/" }), lines.indices.contains(index)
        {
            // In a file nobody counts the changes of a set.
            return "\(source):\(lines[index]): \(error.message.replacing("\(prefix)\(index)", with: ""))"
        }
        let (first, last) = (lines.first ?? 0, lines.last ?? 0)
        return "\(source):\(first < last ? "\(first)-\(last)" : "\(first)"): \(error.message)"
    }
}
