import CUV

/// The process's memory.
public enum Memory {
    /// Keeps so many freed bytes instead of giving them back to the system at once.
    ///
    /// A turn's output is some megabytes that are freed at its end. By default they go back to the system each time, and
    /// the next turn has every page of them made and cleared again.
    public static func keepFreed(bytesMax: Int) { CUV_keep_freed_memory(Int32(clamping: bytesMax)) }

    /// Gives freed pages back to the system, wherever they lie.
    ///
    /// What is kept by `keepFreed` lies at the end; what is freed between things that stay would never be given back.
    public static func giveBack() { CUV_give_freed_memory_back() }

    /// Bytes of it: what is resident, what of the heap is in use, and what the allocator holds besides.
    public static var bytes: (resident: Int, used: Int, unused: Int) {
        var resident = 0
        _ = unsafe uv_resident_set_memory(&resident)
        let heap = CUV_measure_heap()
        return (resident, heap.used, heap.unused)
    }
}
