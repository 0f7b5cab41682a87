import Shared
import UV

/// The searches that take longer than a turn: each gets some time in turn, so that a short one need not wait for long.
struct Searches {
    private var jobs: [(request: Request, job: SearchJob)] = []
    private let loop: Loop

    init(on loop: Loop) { self.loop = loop }

    var count: Int { jobs.count }

    /// Starts a search.
    ///
    /// Returns the answer if it is there at once.
    mutating func start(_ request: Request, _ job: SearchJob) throws(RPCError) -> [UInt8]? {
        let loop = loop
        let end = loop.nanoseconds + Limits.searchSliceNanoseconds
        let answer = try job.step { loop.nanoseconds >= end }
        if answer == nil { jobs.append((request, job)) }
        return answer
    }

    /// Goes on with the searches for a turn's share of time.
    mutating func runTurn(now: UInt64, done: (Request, Result<[UInt8], RPCError>) -> Void) {
        let loop = loop
        let end = loop.nanoseconds + Limits.searchNanosecondsPerTurn
        while !jobs.isEmpty, loop.nanoseconds < end {
            let (request, job) = jobs.removeFirst()
            let sliceEnd = loop.nanoseconds + Limits.searchSliceNanoseconds
            do throws(RPCError) {
                guard request.deadline >= now else {
                    throw RPCError(.deadlineExceeded, "The search took too long: look for something longer.")
                }
                let answer = try job.store.reading { () throws(RPCError) in
                    try job.step { loop.nanoseconds >= sliceEnd }
                }
                if let answer {
                    done(request, .success(answer))
                } else {
                    jobs.append((request, job))
                }
            } catch {
                done(request, .failure(error))
            }
        }
    }
}
