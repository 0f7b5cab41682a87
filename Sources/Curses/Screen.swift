import CCurses

/// The terminal, taken over as a whole.
///
/// There is one, because ncurses knows one: make one `Screen` a process, and `end` it before the process ends.
public final class Screen {
    /// Why there is no screen.
    public struct Failure: Error {}

    private var shown: Grid?

    /// Takes the terminal over.
    ///
    /// - Throws: `Failure` if ncurses knows no terminal of this name (`$TERM`), or one that can only write lines.
    public init(hasColours: Bool) throws(Failure) {
        guard CCurses_begin(hasColours ? 1 : 0) == 0 else { throw Failure() }
        OwnKey.define()
    }

    /// The size of the terminal, now.
    public var size: (columns: Int, rows: Int) {
        var (columns, rows): (Int32, Int32) = (0, 0)
        unsafe CCurses_measure(&columns, &rows)
        return (Int(columns), Int(rows))
    }

    // MARK: Output

    /// Shows a grid: only what differs from what is shown is sent.
    public func show(_ grid: Grid) {
        let isSameSize = shown?.columns == grid.columns && shown?.rows == grid.rows
        for row in 0..<grid.rows where !isSameSize || shown?.row(row) != grid.row(row) {
            for (column, cell) in grid.row(row).enumerated() where !cell.text.isEmpty {
                put(cell, row: row, column: column)
            }
        }
        shown = grid
        CCurses_show(Int32(grid.caret?.row ?? -1), Int32(grid.caret?.column ?? -1))
    }

    private func put(_ cell: Cell, row: Int, column: Int) {
        var text = cell.text.unicodeScalars.map { wchar_t($0.value) }
        text.append(0)
        unsafe CCurses_put(
            Int32(row), Int32(column), text, cell.style.attributes.rawValue, cell.style.colour.rawValue)
    }

    /// Sends everything again with the next `show`, because something else wrote to the terminal.
    public func forget() {
        shown = nil
        CCurses_forget()
    }

    // MARK: Input

    /// The next key that was pressed, without waiting; nil if there is none.
    public func nextKey() -> Key? {
        while true {
            var code: UInt32 = 0
            switch Int(unsafe CCurses_key(&code)) {
            case CCurses_function:
                if code == UInt32(KEY_MOUSE) {
                    if let key = mouse() { return key }
                } else if let key = Key(function: code) {
                    return key
                }
            case CCurses_character:
                guard let key = Key(character: code) else { continue }
                return key == .escape ? escape() : key
            default: return nil
            }
        }
    }

    /// Whether the terminal has gone, so that there will be no key any more.
    public var isGone: Bool { CCurses_is_gone() != 0 }

    /// An escape: terminals send it before a key that is pressed together with Alt.
    private func escape() -> Key {
        var code: UInt32 = 0
        switch Int(unsafe CCurses_key(&code)) {
        case CCurses_character:
            switch Key(character: code) {
            case .character(let character)?: return .alt(character)
            default: return .escape
            }
        case CCurses_function:
            switch Key(function: code) {
            case .left?: return .altLeft
            case .right?: return .altRight
            default: return .escape
            }
        default: return .escape
        }
    }

    private func mouse() -> Key? {
        var (column, row): (Int32, Int32) = (0, 0)
        switch Int(unsafe CCurses_mouse(&column, &row)) {
        case CCurses_press: return .press(row: Int(row), column: Int(column))
        case CCurses_wheel_up: return .wheel(isUp: true, row: Int(row), column: Int(column))
        case CCurses_wheel_down: return .wheel(isUp: false, row: Int(row), column: Int(column))
        default: return nil
        }
    }

    // MARK: The end

    /// Gives the terminal back as it was.
    public func end() { CCurses_end() }

    /// Gives the terminal back, stops this job until it is told to go on, and takes the terminal again.
    public func suspend() {
        CCurses_end()
        CCurses_stop()
        forget()
    }
}
