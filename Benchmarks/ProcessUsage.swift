import Glibc

/// What the system has counted for a process.
struct ProcessUsage {
    /// Seconds of processor time, of the process and of the system for it.
    let seconds: Double
    /// Nanoseconds of processor time of its first thread.
    let nanoseconds: Int
    /// Resident memory in KiB.
    let residentKiB: Int

    /// Reads /proc; nothing if there is no such process.
    init(of process: Int) {
        // Behind the name, which may have spaces: state is field 3, utime 14, stime 15, rss 24 (proc(5)).
        let text = Self.read("/proc/\(process)/stat")
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        func field(_ number: Int) -> Double { fields.count > 24 ? Double(fields[number - 2]) ?? 0 : 0 }
        seconds = (field(14) + field(15)) / Double(sysconf(Int32(_SC_CLK_TCK)))
        nanoseconds =
            Self.read("/proc/\(process)/schedstat").split(separator: " ").first.flatMap { Int($0) } ?? 0
        residentKiB = Int(field(24)) * sysconf(Int32(_SC_PAGESIZE)) / 1_024
    }

    /// The most memory that a process has had so far.
    static func peakMiB(of process: Int) -> Int {
        let line = read("/proc/\(process)/status").split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1_024
    }

    private static func read(_ path: String) -> String {
        guard let file = unsafe fopen(path, "re") else { return "" }
        defer { _ = unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
