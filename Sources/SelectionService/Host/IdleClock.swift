import Shared

/// The time by which sessions are idle: the wall clock's, but for what it jumped ahead.
///
/// A machine that started without the right time, or a clock set wrong by mistake, would otherwise make every session idle
/// at once. A clock that goes back needs no care: then sessions live longer.
struct IdleClock {
    private var last: (wallMs: Int, steadyMs: Int)?
    /// How far the wall clock has jumped ahead in all, in milliseconds.
    private(set) var jumpedMs = 0

    /// Looks at both clocks.
    ///
    /// - Parameters:
    ///   - wallMs: milliseconds since 1970, by a clock that anybody may set.
    ///   - steadyMs: milliseconds of a clock that nobody can set, and that runs while the machine sleeps.
    /// - Returns: the milliseconds of a jump ahead since the last look; nil if there was none.
    mutating func look(wallMs: Int, steadyMs: Int) -> Int? {
        defer { last = (wallMs, steadyMs) }
        guard let last else { return nil }
        let ahead = (wallMs - last.wallMs) - (steadyMs - last.steadyMs)
        guard ahead > Limits.clockJumpMs else { return nil }
        jumpedMs += ahead
        return ahead
    }
}
