import CWebSockets

/// What must not be guessed.
public enum Secret {
    /// Bytes that nobody can guess, or nil if the system gives none.
    public static func random(bytes count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return unsafe CWebSockets_random(&bytes, count) ? bytes : nil
    }
}
