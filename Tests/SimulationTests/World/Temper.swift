import Shared

@testable import Gateway

/// What kind of world a seed makes: some are calm, in some everything breaks.
///
/// Together they show more than one mixture
/// would, because what hides one bug is often the next one.
struct Temper {
    let bufferBytes: Int
    let clients: Int
    /// Steps for each trouble; 0 is none.
    let oneFaultIn: Int
    /// System calls for each time at which others run in between; 0 is never.
    let preemptsOneIn: Int
    /// What others do then, at most.
    let preemptionStepsMax: Int
    /// Things that a client does for each time at which it does not read for a while; 0 is never.
    let sleepsOneIn: Int
    /// What may be queued for a subscriber before his windows lag.
    let windowOutputBytesMax: Int
    /// Kinds of trouble that this world knows.
    let troubles: [Trouble]
    let sessions: [String]

    enum Trouble: CaseIterable {
        case kill, killInATurn, stop, stall, fullDisk, clockJump, cut, cutByService
    }

    init(_ fate: inout Fate) {
        bufferBytes = fate.one(of: [9_000, 12_000, 212_992])
        clients = fate.number(2...7)
        oneFaultIn = fate.one(of: [0, 12, 25, 25, 50])
        preemptsOneIn = fate.one(of: [0, 3, 8, 20])
        preemptionStepsMax = fate.one(of: [1, 1, 8])
        sleepsOneIn = fate.one(of: [0, 0, 10, 30])
        windowOutputBytesMax = fate.one(of: [0, 1_000, Limits.windowOutputBytesMax])
        var all = Trouble.allCases
        fate.shuffle(&all)
        troubles = Array(all.prefix(fate.number(1...all.count)))
        sessions = Array(["s1", "n1", "s2"].prefix(fate.number(1...3)))
    }
}

/// What a run has to reach to prove something.
enum Reached: CaseIterable {
    case killed, killedInATurn, stopped, stalled, commitFailed, clockJumped, connectionCut, cutByService,
        restarted
    case viewsFresh, viewsStale, columnsUnavailable, storageRefused, unavailableRefused, deadlinePassed
    case windowsPatched, windowsFull, windowsEnded, sessionsTold, catalogsTold
    case eventsApplied, catalogsChanged, catalogDropped, sessionCopied, sessionDeleted,
        batchAnswered, subscriptionInBatchRefused, windowsLagged
}
