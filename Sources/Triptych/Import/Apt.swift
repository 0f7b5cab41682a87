import Shared

/// The package indexes that apt keeps, read through apt's own programs.
///
/// They know where the indexes are and how they are compressed.
enum Apt {
    private static let helper = "/usr/lib/apt/apt-helper"
    private static let compressions = ["gz", "xz", "lz4", "zst", "bz2", "lzma"]

    /// The paths of all indexes, those with the long descriptions before those of packages.
    ///
    /// - Throws: `StartFailure` if there is no index of packages, or no apt.
    static func indexPaths() throws(StartFailure) -> [String] {
        let packages = try paths("Created-By: Packages")
        guard !packages.isEmpty else {
            throw StartFailure(.unavailable, "apt has no package index: run apt-get update first")
        }
        return try paths("Created-By: Translations", "Language: en") + packages
    }

    private static func paths(_ conditions: String...) throws(StartFailure) -> [String] {
        let command = ["apt-get", "indextargets", "--format", "$(FILENAME)"] + conditions
        let text = try ByteSource(command: command, name: "apt-get indextargets").readAll(
            bytesMax: Limits.catalogFileBytesMax)
        return text.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a file's name says that it is compressed.
    static func isCompressed(_ path: String) -> Bool { compressions.contains { path.hasSuffix(".\($0)") } }

    /// Opens a file, through apt's helper if its name says that it is compressed.
    ///
    /// - Throws: `StartFailure` if it can't be opened, or apt's helper isn't there.
    static func open(_ path: String) throws(StartFailure) -> ByteSource {
        let file = try ByteSource(file: path)
        return isCompressed(path) ? try ByteSource(command: [helper, "cat-file", path], name: path) : file
    }
}
