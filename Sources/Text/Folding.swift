import CUTF8Proc

// Two texts that a person would call the same word have the same folded form: whatever their case, their accents in
// the scripts where people leave them out, and the way they are composed.

/// The form in which titles are compared and words are found.
public enum Folding {
    /// Folds case fully, drops accents of Latin, Greek and Cyrillic letters, and composes what is left (NFC).
    ///
    /// Returns UTF-8. The order of its bytes is the order of its code points.
    public static func folded(_ text: String) -> [UInt8] {
        var text = text
        return text.withUTF8 { bytes in
            if unsafe bytes.allSatisfy({ $0 < 0x80 }) { return unsafe bytes.map(lowercased) }
            return unsafe encoded(points(bytes))
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    private static func points(_ text: UnsafeBufferPointer<UInt8>) -> [Int32] {
        var points = [Int32](repeating: 0, count: text.count + 16)
        var count = unsafe CUTF8Proc_fold(text.baseAddress, text.count, &points, points.count)
        if count > points.count {
            points = [Int32](repeating: 0, count: count)
            count = unsafe CUTF8Proc_fold(text.baseAddress, text.count, &points, count)
        }
        precondition(count >= 0, "a Swift string is valid UTF-8")
        points.removeLast(points.count - count)
        dropAccents(&points)
        let composed = unsafe CUTF8Proc_compose(&points, points.count)
        points.removeLast(points.count - composed)
        return points
    }

    /// Drops the nonspacing marks that follow a letter of a script where they are accents.
    private static func dropAccents(_ points: inout [Int32]) {
        var isAfterLetter = false
        points.removeAll { point in
            if isAfterLetter, point >= 0x300, CodePoint.isNonspacingMark(point) { return true }
            isAfterLetter = CodePoint.hasAccents(point)
            return false
        }
    }

    private static func encoded(_ points: [Int32]) -> [UInt8] {
        var text = String.UnicodeScalarView()
        for point in points { if let scalar = Unicode.Scalar(UInt32(point)) { text.append(scalar) } }
        return Array(String(text).utf8)
    }
}
