/// What a terminal can show.
enum Charset: Sendable {
    /// Everything that the C library has a width for.
    case unicode
    /// ASCII alone, in a locale that isn't UTF-8.
    case ascii

    /// Lines, marks and arrows.
    var marks: Marks { self == .unicode ? .unicode : .ascii }
}

/// The signs that are not text of the catalog; each takes one cell.
struct Marks: Sendable {
    let vertical, horizontal, teeDown, cross, ellipsis: String
    let corners: (topLeft: String, topRight: String, bottomLeft: String, bottomRight: String)
    /// A selected row.
    let selected: String
    let unfolded, folded, folder: String
    let link, deadLink, image: String
    let sidebar, chevron, dismiss: String
    let back, forward, upwards, downwards, replacement: String

    static let unicode = Marks(
        vertical: "│", horizontal: "─", teeDown: "┬", cross: "┼", ellipsis: "…",
        corners: ("╭", "╮", "╰", "╯"),
        selected: "▌", unfolded: "▾", folded: "▸", folder: "›",
        link: "→", deadLink: "∙", image: "▣",
        sidebar: "≡", chevron: "«", dismiss: "×",
        back: "←", forward: "→", upwards: "↑", downwards: "↓", replacement: "\u{FFFD}")

    static let ascii = Marks(
        vertical: "|", horizontal: "-", teeDown: "+", cross: "+", ellipsis: "~",
        corners: ("+", "+", "+", "+"),
        selected: ">", unfolded: "v", folded: "+", folder: ">",
        link: ">", deadLink: "-", image: "#",
        sidebar: "=", chevron: "<", dismiss: "x",
        back: "<", forward: ">", upwards: "^", downwards: "v", replacement: "?")
}
