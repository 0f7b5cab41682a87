import Glibc

/// A directory of one test alone.
public struct TemporaryDirectory {
    /// Where it is.
    public let path: String

    /// Makes it.
    ///
    /// - Throws: `Harness.Failure` if the system refuses.
    public init() throws {
        var template = Array("/tmp/triptych-XXXXXX".utf8CString)
        guard let made = unsafe mkdtemp(&template) else {
            throw Harness.Failure(description: "no temporary directory")
        }
        path = unsafe String(cString: made)
    }

    /// Removes it with everything in it.
    public func remove() { Self.remove(path) }

    private static func remove(_ path: String) {
        guard let stream = unsafe opendir(path) else { return }
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            if unsafe entry.pointee.d_type == UInt8(DT_DIR) { remove("\(path)/\(name)") }
            _ = unsafe Glibc.remove("\(path)/\(name)")
        }
        _ = unsafe closedir(stream)
        _ = unsafe rmdir(path)
    }
}
