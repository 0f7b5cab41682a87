import CCurses

/// What a person does at a terminal.
public enum Key: Sendable, Equatable {
    /// A character that was typed; Ctrl with a letter is `control`.
    case character(Character)
    /// Ctrl and a letter, in lower case.
    case control(Character)
    /// Alt and a character.
    case alt(Character)
    case up, down, left, right
    case altLeft, altRight
    case pageUp, pageDown, home, end
    case enter, escape, backspace, delete, tab, backTab
    /// The button was pressed at a cell.
    case press(row: Int, column: Int)
    /// The wheel was turned at a cell; up is towards the beginning.
    case wheel(isUp: Bool, row: Int, column: Int)
}

/// The keys that terminals' descriptions leave out, by numbers that ncurses does not use itself.
enum OwnKey {
    static let altLeft: Int32 = 0x1001
    static let altRight: Int32 = 0x1002

    /// Tells ncurses what terminals send for them.
    static func define() {
        for (bytes, code) in [("\u{1B}[1;3D", altLeft), ("\u{1B}[1;3C", altRight)] {
            unsafe CCurses_define_key(bytes, code)
        }
    }
}

extension Key {
    /// The key that was read as a character.
    init?(character code: UInt32) {
        switch code {
        case 0x0D, 0x0A: self = .enter
        case 0x09: self = .tab
        case 0x08, 0x7F: self = .backspace
        case 0x1B: self = .escape
        case 0x01...0x1A:
            guard let letter = Unicode.Scalar(code + 0x60) else { return nil }
            self = .control(Character(letter))
        case 0x00...0x1F: return nil
        default:
            guard let scalar = Unicode.Scalar(code) else { return nil }
            self = .character(Character(scalar))
        }
    }

    /// The key that ncurses has a number for; the mouse has its own.
    init?(function code: UInt32) {
        switch Int32(bitPattern: code) {
        case KEY_UP: self = .up
        case KEY_DOWN: self = .down
        case KEY_LEFT: self = .left
        case KEY_RIGHT: self = .right
        case KEY_PPAGE: self = .pageUp
        case KEY_NPAGE: self = .pageDown
        case KEY_HOME: self = .home
        case KEY_END: self = .end
        case KEY_ENTER: self = .enter
        case KEY_BACKSPACE: self = .backspace
        case KEY_DC: self = .delete
        case KEY_BTAB: self = .backTab
        case OwnKey.altLeft: self = .altLeft
        case OwnKey.altRight: self = .altRight
        default: return nil
        }
    }
}
