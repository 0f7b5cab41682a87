import CWebSockets

/// What must not be guessed, and what stands for it.
public enum Secret {
    /// Bytes that nobody can guess, or nil if the system gives none.
    public static func random(bytes count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return unsafe CWebSockets_random(&bytes, count) ? bytes : nil
    }

    /// The SHA-256 of some bytes: 32 bytes from which nobody can tell them.
    public static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        unsafe CWebSockets_digest(bytes, bytes.count, &digest)
        return digest
    }
}
