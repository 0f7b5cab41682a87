import Glibc

/// The files of this repository, for tests that read them.
public enum Repository {
    /// Where the repository is.
    public static let root: String = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    /// The files below a folder, by their paths from the root, sorted; hidden ones are left out.
    public static func files(below folder: String, ending: String = "") -> [String] {
        var found: [String] = []
        guard let stream = unsafe opendir("\(root)/\(folder)") else { return [] }
        defer { _ = unsafe closedir(stream) }
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard !name.hasPrefix(".") else { continue }
            let path = "\(folder)/\(name)"
            if unsafe entry.pointee.d_type == UInt8(DT_DIR) {
                found += files(below: path, ending: ending)
            } else if name.hasSuffix(ending) {
                found.append(path)
            }
        }
        return found.sorted()
    }

    /// The text of a file by its path from the root.
    ///
    /// - Throws: `Harness.Failure` if it can't be read.
    public static func text(_ path: String) throws -> String { try Contracts.read("\(root)/\(path)") }
}
