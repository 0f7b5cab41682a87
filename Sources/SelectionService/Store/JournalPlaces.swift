/// Which pages of the journal are in use, and which are to be written over next.
struct JournalPlaces: Equatable {
    /// A page that is in use.
    private struct Used: Equatable {
        let page: Int
        /// Pages of the file that it fills.
        let size: Int
    }

    /// The pages in use, in the order of their numbers, which end with `last`.
    private var used: [Used] = []
    /// Those to be written over, the next one last.
    private var free: [Int] = []
    /// Pages that there are.
    private var count = 0
    /// The number of the last one that was written.
    private(set) var last = 0
    /// Pages of the file that those in use fill.
    private(set) var usedSize = 0

    /// A journal of the pages that the file has, in the order of their numbers.
    init(_ pages: [(page: Int, number: Int, size: Int, isUsed: Bool)] = []) {
        for (page, number, size, isUsed) in pages {
            if isUsed {
                used.append(Used(page: page, size: size))
                usedSize += size
            } else {
                free.append(page)
            }
            count = max(count, page)
            last = number
        }
        free.sort(by: >)
    }

    /// Pages in use, a long one as one.
    var usedCount: Int { used.count }

    /// Where the page is to go that is the next one but `index`.
    func next(_ index: Int) -> Int {
        index < free.count ? free[free.count - 1 - index] : count + 1 + index - free.count
    }

    /// Pages of these sizes were written.
    mutating func take(_ sizes: [Int]) {
        for (index, size) in sizes.enumerated() {
            used.append(Used(page: next(index), size: size))
            usedSize += size
        }
        count += max(0, sizes.count - free.count)
        free.removeLast(min(sizes.count, free.count))
        last += sizes.count
    }

    /// The pages up to a number are not needed any more: the first ones come first again.
    mutating func free(upTo number: Int) {
        let done = used.count - (last - number)
        guard done > 0 else { return }
        for page in used[..<done] {
            free.append(page.page)
            usedSize -= page.size
        }
        used.removeFirst(done)
        free.sort(by: >)
    }
}
