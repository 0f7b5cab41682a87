import JSON
import Shared

// Which rows a window shows. A subscribed window keeps its place in the list: it is held by the key of the
// row that is first in it, not by an index, so that rows which come and go elsewhere do not move it.

/// Where a window of rows is held.
struct ListHold: Equatable {
    /// The list, as a question without a place.
    let list: PageQuestion
    /// The cursor of what is before the first row; nil holds the window at the head of the list.
    let before: String?
}

/// How the rows of a window are found, step by step, from the answers that are there.
struct RowPlan {
    /// What must be known next; nil when all is.
    private(set) var next: PageQuestion?
    /// The question whose answer is shown, as soon as that is known.
    private(set) var shown: PageQuestion?

    /// Whether nothing more has to be known than what is next.
    var endsWithNext: Bool { next != nil && next == shown }

    private let list: PageQuestion
    private let answer: (PageQuestion) -> Answer

    /// What there is of an answer.
    enum Answer {
        case page(ItemPage)
        /// It was asked for, and there is none.
        case none
        /// It was not asked for.
        case open
    }

    /// Plans the rows of `list`, held as `hold` says if that is a place in the same list.
    ///
    /// `chosen` is an item that was just selected: if the list has it, the window goes where it is.
    init(
        _ list: PageQuestion, selected: Identifier?, rows: ViewWindow.Rows, hold: ListHold?,
        chosen: Identifier?,
        answer: @escaping (PageQuestion) -> Answer
    ) {
        (self.list, self.answer) = (list, answer)
        switch rows {
        case .after(let cursor): show(.after(cursor))
        case .before(let cursor): show(.before(cursor))
        case .around(let id): show(.around(id))
        case .selection:
            guard let hold, hold.list == list.withoutPlace else {
                show(selected.map { .around($0) })
                return
            }
            planHeld(hold, chosen)
        }
    }

    private mutating func show(_ place: PageQuestion.Place?) {
        let question = list.at(place)
        shown = question
        if case .open = answer(question) { next = question }
    }

    /// The page of a question; nil if it has to be asked first, or there is none, in which case it is what is
    /// shown.
    private mutating func page(_ question: PageQuestion) -> ItemPage? {
        switch answer(question) {
        case .page(let page): return page
        case .none:
            shown = question
            return nil
        case .open:
            next = question
            return nil
        }
    }

    private mutating func planHeld(_ hold: ListHold, _ chosen: Identifier?) {
        var held = list.at(nil)
        if let cursor = hold.before {
            // The row before the key, whichever that is now; the window begins behind it.
            guard let behind = page(list.at(.before(cursor), limit: 1)) else { return }
            if behind.rows.count > 0 {
                held = list.at(behind.value["after"]?.string.map { .after($0) } ?? .before(cursor))
            }
        }
        guard let shownPage = page(held) else { return }
        if let chosen, shownPage.index(of: chosen) == nil {
            let around = list.at(.around(chosen))
            guard let page = page(around) else { return }
            if page.index(of: chosen) != nil {
                shown = around
                return
            }
        }
        shown = held
        if shownPage.value["after"]?.isNull != false { fill(shownPage) }
    }

    /// Fewer rows follow than fit: those before fill the window up.
    ///
    /// They are found by their keys, not by an item: it may be in a list more than once.
    private mutating func fill(_ end: ItemPage) {
        guard end.rows.count < list.limit, let cursor = end.value["before"]?.string,
            let before = page(list.at(.before(cursor), limit: list.limit - end.rows.count))
        else { return }
        var filled = list.at(nil)
        if let cursor = before.value["before"]?.string {
            guard let behind = page(list.at(.before(cursor), limit: 1)) else { return }
            filled = list.at(behind.value["after"]?.string.map { .after($0) })
        }
        if page(filled) != nil { shown = filled }
    }
}

extension PageQuestion {
    /// The same list at another place.
    func at(_ place: Place?, limit: Int? = nil) -> PageQuestion {
        var question = self
        (question.place, question.limit) = (place, limit ?? self.limit)
        return question
    }

    /// What tells one list from another.
    var withoutPlace: PageQuestion { at(nil, limit: 0) }
}
