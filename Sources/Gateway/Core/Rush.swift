import Shared

/// How long a sign of life of a peer is good for, which is longer when many views are asked for, turn after turn.
///
/// Who is asked for a sign of life has to be woken, which costs as much as some twenty kept views: many views are to share it,
/// whether they come in one turn or in several.
struct Rush {
    private var life = Limits.lifeNanoseconds
    private var lastTurn: UInt64 = 0

    /// How long a peer counts as alive that has said something, in nanoseconds.
    func life(at nanoseconds: UInt64) -> UInt64 {
        nanoseconds < lastTurn + Limits.lullNanoseconds ? life : Limits.lifeNanoseconds
    }

    /// Notes that a turn has ended in which so many views were answered at once.
    mutating func endTurn(views: Int, at nanoseconds: UInt64) {
        life =
            views < Limits.rushViewsMin
            ? Limits.lifeNanoseconds : min(2 * life(at: nanoseconds), Limits.patienceNanoseconds)
        lastTurn = nanoseconds
    }
}
