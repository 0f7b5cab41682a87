import JSON
import Shared

// The second half of a view: what its state needs of the catalog, asked together, until all of it fits
// together.

extension GatewayCore {
    /// Asks what is still needed, or ends the view when nothing is.
    mutating func goOn(_ id: JobID, _ turn: inout Turn) {
        while let job = jobs[id], job.hasState, job.pending == 0 {
            if let scenery = knownScenery(for: id, job) {
                guard isAlive(.catalog, since: job.since, turn) else {
                    job.pending += 1
                    return awaitLife(of: .catalog, deadline: job.deadline, .job(id), &turn)
                }
                guard compose(id, of: scenery, &turn) else { return }
                continue
            }
            let believed = knowledge.wasTwoColumn(job.shownCatalog)
            let hasAll = job.findAll(believing: believed) { find($0, id, job, &turn) }
            if hasAll { guard compose(id, &turn) else { return } }
        }
    }

    /// Finds an answer: the last one if it still holds, else by asking.
    ///
    /// Whether it holds is known when the catalog has described itself; until then it is not asked for anew.
    private mutating func find(_ question: CatalogQuestion, _ id: JobID, _ job: ViewJob, _ turn: inout Turn) {
        if !question.isLasting, !job.isWithoutCatalog, !job.distrusts.catalog,
            let known = knowledge.currentAnswer(question)
        {
            if isAlive(.catalog, since: job.since, turn) {
                counters.knownAnswers += 1
                job.answers[question] = .fresh(known)
            } else {
                job.pending += 1
                awaitLife(of: .catalog, deadline: job.deadline, .job(id), &turn)
            }
            return
        }
        let last = question.isLasting || job.isWithoutCatalog ? knowledge.lastAnswer(question) : nil
        if job.isWithoutCatalog {
            job.answers[question] = last.map { .stale($0) } ?? .unavailable
        } else if let last, let revision = job.describedRevision, last.revision == revision {
            counters.knownAnswers += 1
            job.answers[question] = .fresh(last)
        } else if last == nil || job.isDescribed {
            ask(question, id, &turn)
        }
    }

    /// Asks a question, or joins who has asked it just now.
    mutating func ask(_ question: CatalogQuestion, _ id: JobID, _ turn: inout Turn) {
        guard let job = jobs[id] else { return }
        job.pending += 1
        // Whoever has asked in this turn has not been answered before this request came. For a window it is
        // enough that nothing was told of the catalogs since.
        if let asking = asking[question], asking.deadline == job.deadline,
            asking.turn == turns || (job.token == nil && asking.catalogNews == catalogNews)
        {
            waiters[asking.call, default: []].append(id)
            return
        }
        let call = call(.catalog, question.method, .question(question), deadline: job.deadline, &turn) {
            json in question.writeParams(to: &json)
        }
        waiters[call] = [id]
        asking[question] = Asking(
            call: call, turn: turns, catalogNews: catalogNews, deadline: job.deadline)
    }

    /// Takes an answer, or why there is none, for everyone who waits for it.
    mutating func takeAnswer(
        _ result: Result<JSONValue, RPCError>, to question: CatalogQuestion, of call: CallID,
        _ turn: inout Turn
    ) {
        if asking[question]?.call == call { asking[question] = nil }
        let waiting = waiters.removeValue(forKey: call) ?? []
        let answer: Result<CatalogAnswer, RPCError> = result.flatMap { value in
            question.answer(value).map { .success($0) }
                ?? .failure(
                    RPCError(.internal, "The catalog service answered nonsense to \(question.method)."))
        }
        if case .success(let answer) = answer { knowledge.keep(answer, to: question) }
        for id in waiting where jobs[id] != nil {
            jobs[id]?.pending -= 1
            switch answer {
            case .success(let answer): jobs[id]?.answers[question] = .fresh(answer)
            case .failure(let error): takeFailure(error, of: question, id, &turn)
            }
            goOn(id, &turn)
        }
    }

    private mutating func takeFailure(
        _ error: RPCError, of question: CatalogQuestion, _ id: JobID, _ turn: inout Turn
    ) {
        guard let job = jobs[id], job.state != nil || error.isOutage else { return }
        switch (error.reason, question) {
        case (.notFound, .describe) where job.window != nil:
            endWindow(of: job, "catalog dropped", &turn)
        case (.notFound, .describe(let catalog))
        where job.state?.catalog != catalog && job.catalog == catalog:
            refuse(id, error, &turn)  // the caller named it
        case (.notFound, .describe) where job.state?.catalog == nil:
            jobs[id]?.answers = AnswerSheet()  // it was the first one a moment ago
            jobs[id]?.rounds += 1
        case (.notFound, _):
            knowledge.forget(question)
            jobs[id]?.answers[question] = .missing
        case (.responseTooLarge, .page(let page)) where page.limit > 1:
            jobs[id]?.limit = page.limit / 2
        case (.invalidParams, .page) where job.request.window.rows != .selection: refuse(id, error, &turn)
        case (.invalidParams, .page) where job.hold != nil:
            jobs[id]?.hold = nil  // its cursor is not one any more
        default: takeSilence(error, id, &turn)
        }
    }

    /// Takes it that the catalog can't be asked.
    mutating func takeSilence(_ error: RPCError, _ id: JobID, _ turn: inout Turn) {
        switch error.reason {
        case .deadlineExceeded where jobs[id]?.isSend == true, .overloaded: refuse(id, error, &turn)
        default: jobs[id]?.catalogFailure = error
        }
    }

    // MARK: The end

    /// What was composed before of the place where a job's session is, if all of it still holds.
    private func knownScenery(for id: JobID, _ job: ViewJob) -> Scenery? {
        guard let whereabouts = job.whereabouts, case .reply = job.kind, job.knowledge == .fresh,
            !job.isWithoutCatalog, !job.distrusts.catalog, job.limit == job.request.window.limit,
            let scenery = places.scenery(in: whereabouts, job.request.window.look),
            scenery.catalogRevision >= catalogFloor(of: id, job)
        else { return nil }
        return scenery
    }

    /// Draws the view if all of it fits together, and tells whether something has to be asked again instead.
    ///
    /// It is drawn of what has been found for it, or of a scenery that was composed before.
    private mutating func compose(_ id: JobID, of scenery: Scenery? = nil, _ turn: inout Turn) -> Bool {
        guard let job = jobs[id], let revision = job.state?.revision else { return false }
        guard job.rounds < Limits.viewRoundsMax else {
            refuse(id, Self.changesTooFast, &turn)
            return false
        }
        let floor = stateFloor(of: id, job)
        if job.knowledge == .fresh, job.isBehind(revision, floor: floor) {
            if job.token == nil, let window = job.window.flatMap({ windows[$0] }), isBehind(window) {
                windows[window.subscription]?.isDirty = true
                forgetJob(id)
                return false
            }
            job.startOver()
            counters.repeatedRounds += 1
            askState(id, &turn)
            return false
        }
        if job.knowledge != .fresh, revision < floor,
            let last = knowledge.lastState(job.request.session), last.revision > revision
        {
            // What the connection was shown meanwhile is known by now.
            job.startOver()
            take(last, .stale, id, &turn)
            return false
        }
        let known = job.isWithoutCatalog ? lastRevision(ofCatalogIn: job) : 0
        if job.dropOutdatedAnswers(floor: catalogFloor(of: id, job), known: known) {
            counters.repeatedRounds += 1
            return true
        }
        if let error = job.outage {
            refuse(id, error, &turn)
            return false
        }
        if mustQueue(id, job) {
            park(id, job, &turn)
            return false
        }
        if let result = keptView(for: job) {
            counters.keptViews += 1
            raiseFloors(for: job, of: job.lane)
            answer(id, result, &turn)
            return false
        }
        if let scenery {
            show(scenery, id, job, &turn)
            return false
        }
        guard job.token != nil || mayDraw(id, &turn) else { return false }
        return draw(id, job, &turn)
    }

    /// Answers with what was composed before.
    private mutating func show(_ scenery: Scenery, _ id: JobID, _ job: ViewJob, _ turn: inout Turn) {
        let (request, revision) = (job.request, job.state?.revision ?? 0)
        let slot = views.slot(of: job)
        let kept = slot.flatMap { views.scene(in: $0, revision: revision) }
        let scene = kept ?? Scene(scenery, session: request.session, revision: revision)
        let view = self.view(of: scene, for: job)
        guard view.fitsLine else {
            // With a longer id, or in a wider window, it carries fewer rows.
            job.whereabouts = nil
            return goOn(id, &turn)
        }
        counters.views += 1
        counters.familiarViews += 1
        raiseFloors(
            of: job.lane, session: request.session, revision: revision, catalog: scenery.catalog,
            catalogRevision: scenery.catalogRevision, by: job)
        if let slot, kept == nil, knowledge.isCurrent(request.session, revision) {
            views.keep(scene, in: slot)
        }
        answer(id, view.result(changed: job.changed), &turn)
    }

    private mutating func view(of scene: Scene, for job: ViewJob) -> ComposedView {
        guard job.change == WindowChange(), let slot = views.slot(of: job) else {
            return scene.view(in: job.request.window, job.change)
        }
        return views.view(of: scene, in: slot)
    }

    /// Draws the view, and tells whether it is too long and fewer rows have to be asked for instead.
    private mutating func draw(_ id: JobID, _ job: ViewJob, _ turn: inout Turn) -> Bool {
        guard let input = job.input() else { return false }
        let scene = ViewComposer.scene(of: input)
        let view = self.view(of: scene, for: job)
        let rows = scene.scenery.rows
        if !view.fitsLine, rows > 1 {
            job.limit = max(1, min(rows - 1, rows * ComposedView.bytesMax / view.count * 15 / 16))
            job.rounds += 1
            return true
        }
        counters.views += 1
        if job.knowledge != .fresh || job.isWithoutCatalog { counters.degradedViews += 1 }
        deliver(view, input, id, job, &turn)
        return false
    }

    private mutating func lastRevision(ofCatalogIn job: ViewJob) -> Int {
        job.shownCatalog.flatMap { knowledge.lastAnswer(.describe($0))?.revision } ?? 0
    }

    private mutating func deliver(
        _ view: ComposedView, _ input: ViewInput, _ id: JobID, _ job: ViewJob, _ turn: inout Turn
    ) {
        switch job.kind {
        case .reply:
            raiseFloors(for: job, of: job.lane)
            keep(view.scene, of: job)
            answer(id, view.result(changed: job.changed), &turn)
        case .opening(let stream):
            raiseFloors(for: job, of: job.lane)
            guard let token = job.token else { return }
            let first = Opening(view: view.bytes, resolved: view.resolved, input: input)
            opening[id] = first
            turn.effects.append(.subscribe(id, token, job.connection, stream, view: first.view))
        case .window(let window, let wish):
            show(view, input, in: window, wish, id, job, &turn)
        }
    }

    /// Writes the answer of `view.get` and `view.send` with a view that is there as bytes.
    static func answer(view: [UInt8], changed: Bool? = nil) -> Reply {
        var json = JSONWriter(capacity: view.count + 32)
        json.object { json in
            if let changed { json.member("changed", changed) }
            json.member("view", written: view)
        }
        return Reply(opening: json.bytes)
    }

    private static let changesTooFast = RPCError(
        .overloaded, "The catalog changes faster than it can be shown: try again in a moment.")
}
