import JSON
import Shared

// The second half of a view: what its state needs of the catalog, asked together, until all of it fits together.

extension GatewayCore {
    /// Asks what is still needed, or answers when nothing is.
    mutating func goOn(_ id: JobID, _ now: UInt64, _ effects: inout [Effect]) {
        while let job = jobs[id], job.pending == 0 {
            let believed = isTwoColumn(job.shownCatalog)
            let needed = job.questions(believing: believed).filter { job.answers[$0] == nil }
            if needed.isEmpty {
                guard finish(id, believed, now, &effects) else { return }
            } else if job.catalogFailure != nil {
                for question in needed {
                    jobs[id]?.answers[question] = answers[question].map { .stale($0) } ?? .unavailable
                }
            } else {
                for question in needed {
                    call(
                        .catalog, question.method, for: id, .question(question), deadline: job.deadline,
                        &effects
                    ) { json in question.writeParams(to: &json) }
                }
            }
        }
    }

    /// What a catalog's columns were when it was last described: a guess that saves a round trip.
    private func isTwoColumn(_ catalog: Identifier?) -> Bool {
        guard let catalog, case .description(let description)? = answers.peek(.describe(catalog)) else {
            return false
        }
        return description.columns == 2
    }

    /// Takes an answer, or why there is none.
    mutating func takeAnswer(
        _ result: Result<JSONValue, RPCError>, to question: CatalogQuestion, _ id: JobID, _ now: UInt64,
        _ effects: inout [Effect]
    ) {
        do throws(RPCError) {
            guard let answer = question.answer(try result.get()) else {
                throw RPCError(
                    .internal, "The catalog service answered nonsense to \(question.method).")
            }
            answers.keep(answer, for: question, bytes: answer.bytes)
            jobs[id]?.answers[question] = .fresh(answer)
        } catch {
            takeFailure(error, of: question, id, &effects)
        }
        goOn(id, now, &effects)
    }

    private mutating func takeFailure(
        _ error: RPCError, of question: CatalogQuestion, _ id: JobID, _ effects: inout [Effect]
    ) {
        guard let job = jobs[id] else { return }
        switch (error.reason, question) {
        case (.notFound, .describe(let catalog))
        where job.state?.catalog != catalog && job.catalog == catalog:
            refuse(id, error, &effects)  // the caller named it
        case (.notFound, .describe) where job.state?.catalog == nil:
            jobs[id]?.answers = [:]  // it was the first one a moment ago
            jobs[id]?.rounds += 1
        case (.notFound, _):
            answers.forget(question)
            jobs[id]?.answers[question] = .missing
        case (.responseTooLarge, .page(let page)) where page.limit > 1:
            jobs[id]?.limit = page.limit / 2
        case (.deadlineExceeded, _) where job.request.send != nil: refuse(id, error, &effects)
        case _ where error.isOutage || error.reason == .responseTooLarge:
            jobs[id]?.catalogFailure = error
        default: refuse(id, error, &effects)
        }
    }

    // MARK: The end

    /// Answers the view if all of it fits together, and tells whether something has to be asked again instead.
    private mutating func finish(
        _ id: JobID, _ believed: Bool, _ now: UInt64, _ effects: inout [Effect]
    ) -> Bool {
        guard var job = jobs[id], let state = job.state else { return false }
        guard job.rounds < Limits.viewRoundsMax else {
            refuse(id, Self.changesTooFast, &effects)
            return false
        }
        if job.knowledge == .fresh, state.revision != 0, state.revision < job.stateFloor {
            job.startOver()
            job.rounds += 1
            jobs[id] = job
            counters.repeatedRounds += 1
            begin(id, now, &effects)
            return false
        }
        if job.catalogFailure == nil, job.dropOutdatedAnswers() {
            job.rounds += 1
            jobs[id] = job
            counters.repeatedRounds += 1
            return true
        }
        if let error = job.outage {
            refuse(id, error, &effects)
            return false
        }
        guard let input = job.input(believing: believed) else { return false }
        let view = ViewComposer.compose(input)
        let budget = Limits.outgoingLineBytesMax - Limits.viewEnvelopeBytes
        if view.bytes.count > budget, view.rows > 1 {
            job.limit = max(1, min(view.rows - 1, view.rows * budget / view.bytes.count * 15 / 16))
            job.rounds += 1
            jobs[id] = job
            return true
        }
        deliver(view, id, job, &effects)
        return false
    }

    private mutating func deliver(
        _ view: ComposedView, _ id: JobID, _ job: ViewJob, _ effects: inout [Effect]
    ) {
        counters.views += 1
        if job.knowledge != .fresh || job.catalogFailure != nil { counters.degradedViews += 1 }
        raiseFloors(for: job)
        var json = JSONWriter(capacity: view.bytes.count + 32)
        json.object { json in
            if let changed = job.changed { json.member("changed", changed) }
            json.member("view", raw: view.bytes)
        }
        answer(id, json.bytes, &effects)
    }

    private static let changesTooFast = RPCError(
        .overloaded, "The catalog changes faster than it can be shown: try again in a moment.")
}
