import Glibc
import Shared

extension Command {
    /// `triptych browse`: the screen of a session in the terminal, to act on.
    ///
    /// It is a program of its own, so that only that one needs ncurses.
    static let browse = Command(
        name: "browse", operands: "[options]",
        summary: "Shows the screen of a session in the terminal, and lets you act on it.",
        details: "",
        options: [],
        passesWordsOn: true
    ) { arguments throws(StartFailure) in
        throw become("triptych-browse", arguments.operands)
    }

    /// Goes on as the program of this name that stands beside this one.
    ///
    /// - Returns: why that can't be; else never.
    private static func become(_ name: String, _ words: [String]) -> StartFailure {
        var own = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &own, own.count)
        let path = String(decoding: own[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let beside = path.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/\(name)"
        var all: [UnsafeMutablePointer<CChar>?] = unsafe ([beside] + words).map { unsafe strdup($0) } + [nil]
        _ = unsafe execv(beside, &all)
        let why = unsafe String(cString: strerror(errno))
        unsafe all.forEach { unsafe free($0) }
        return StartFailure(.unavailable, "can't start \(beside): \(why); it belongs beside triptych")
    }
}
