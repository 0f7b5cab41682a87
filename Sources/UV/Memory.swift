import CUV

/// The process's memory.
public enum Memory {
    /// Keeps so many freed bytes instead of giving them back to the system at once.
    ///
    /// A turn's output is some megabytes that are freed at its end. By default they go back to the system each time, and
    /// the next turn has every page of them made and cleared again.
    public static func keepFreed(bytesMax: Int) { CUV_keep_freed_memory(Int32(clamping: bytesMax)) }
}
