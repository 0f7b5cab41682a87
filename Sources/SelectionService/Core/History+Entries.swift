import Shared

extension History {
    /// Places in one direction, the nearest one last.
    ///
    /// A history is copied with each event and then changed at its end, so copies share their pieces, and one that comes next
    /// is added to the piece itself: each copy knows how many are its own. So nothing is looked at but the end, however long
    /// the history is.
    struct Entries: RandomAccessCollection {
        private static let pieceCount = 16

        /// Entries in one piece of memory, with how many there are before them: of many sessions most lies in no cache.
        private final class Piece: ManagedBuffer<Int, Entry> {
            static func make() -> Piece {
                unsafe unsafeDowncast(
                    Piece.create(minimumCapacity: pieceCount) { _ in 0 }, to: Piece.self)
            }

            subscript(index: Int) -> Entry {
                precondition(index < header)
                return unsafe withUnsafeMutablePointerToElements { unsafe $0[index] }
            }

            func append(_ entry: Entry) {
                precondition(header < pieceCount)
                unsafe withUnsafeMutablePointerToElements {
                    unsafe ($0 + header).initialize(to: entry)
                }
                header += 1
            }

            deinit {
                _ = unsafe withUnsafeMutablePointers { unsafe $1.deinitialize(count: $0.pointee) }
            }
        }

        /// All are full but the last one, in which others may have more.
        private var pieces: [Piece] = []
        /// Entries of the first piece that were removed.
        private var removedCount = 0
        private(set) var count = 0

        init() {}

        init(_ entries: some Sequence<Entry>) { for entry in entries { append(entry) } }

        var startIndex: Int { 0 }
        var endIndex: Int { count }
        var last: Entry? { count == 0 ? nil : self[count - 1] }

        subscript(index: Int) -> Entry {
            let place = index + removedCount
            return pieces[place / Self.pieceCount][place % Self.pieceCount]
        }

        mutating func append(_ entry: Entry) {
            let own = (removedCount + count) % Self.pieceCount
            if own == 0 {
                pieces.append(Piece.make())
            } else if let last = pieces.last, last.header > own {
                // Whoever was copied from here has gone on in another way.
                let piece = Piece.make()
                for index in 0..<own { piece.append(last[index]) }
                pieces[pieces.count - 1] = piece
            }
            pieces[pieces.count - 1].append(entry)
            count += 1
        }

        mutating func popLast() -> Entry? {
            guard let entry = last else { return nil }
            count -= 1
            if count == 0 {
                self = Entries()
            } else if (removedCount + count) % Self.pieceCount == 0 {
                pieces.removeLast()
            }
            return entry
        }

        mutating func removeFirst() -> Entry {
            let entry = self[0]
            removedCount += 1
            count -= 1
            if count == 0 {
                self = Entries()
            } else if removedCount == Self.pieceCount {
                pieces.removeFirst()
                removedCount = 0
            }
            return entry
        }
    }
}

extension History.Entries: Equatable {
    static func == (a: Self, b: Self) -> Bool {
        a.count == b.count && (a.isCopy(of: b) || a.elementsEqual(b))
    }

    /// Whether it has the pieces of another list that has as many entries: what is in a piece stays, so it has these
    /// entries, too.
    private func isCopy(of other: Self) -> Bool {
        removedCount == other.removedCount && pieces.elementsEqual(other.pieces, by: ===)
    }
}

extension History {
    /// The places but the current one that only one of two histories of a session has.
    struct Difference {
        /// Those of the earlier history that are not there any more, or were left anew.
        var lost: [Entry] = []
        /// Those that are new, or were left anew.
        var added: [Entry] = []
    }

    /// How this history differs from an earlier one of the same session.
    func difference(from old: History) -> Difference {
        var difference = Difference()
        Self.compare(old.back, back, &difference)
        Self.compare(old.forward, forward, &difference)
        return difference
    }

    /// An entry comes in at the end of a list, and once it was taken out it never comes in again.
    ///
    /// So if as many follow the first one that both lists have as there are before the last one, these are the same.
    private static func compare(_ old: Entries, _ new: Entries, _ difference: inout Difference) {
        guard let first = new.first else {
            if !old.isEmpty { difference.lost += old }
            return
        }
        // Mostly what was left just now has come in, and the rest need not be looked at.
        if let last = old.last, new.count >= old.count, new[old.count - 1] === last {
            return difference.added.append(from: new, old.count..<new.count)
        }
        let start = old.first === first ? 0 : old.firstIndex { $0 === first }
        if let start {
            let count = min(old.count - start, new.count)
            if old[start + count - 1] === new[count - 1] {
                difference.lost.append(from: old, 0..<start)
                difference.lost.append(from: old, (start + count)..<old.count)
                return difference.added.append(from: new, count..<new.count)
            }
        }
        let same = Set(old.map(ObjectIdentifier.init)).intersection(new.map(ObjectIdentifier.init))
        difference.lost += old.filter { !same.contains(ObjectIdentifier($0)) }
        difference.added += new.filter { !same.contains(ObjectIdentifier($0)) }
    }
}

extension [History.Entry] {
    fileprivate mutating func append(from entries: History.Entries, _ places: Range<Int>) {
        guard !places.isEmpty else { return }
        reserveCapacity(count + places.count)
        for place in places { append(entries[place]) }
    }
}
