/// How a cell looks.
public struct CellStyle: Sendable, Hashable {
    /// Colours by what they say; the terminal's own palette gives them their tone, on light and dark grounds.
    public enum Colour: Int16, Sendable {
        /// The terminal's own.
        case plain
        /// Where the person is.
        case accent
        /// Something is not as it should be.
        case warning
        /// Something failed.
        case alarm
    }

    /// Attributes beside the colour.
    public struct Attributes: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: Int32

        /// Makes attributes of bits.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// What matters.
        public static let bold = Attributes(rawValue: 1)
        /// What matters less.
        public static let dim = Attributes(rawValue: 2)
        /// Text and ground exchanged.
        public static let reverse = Attributes(rawValue: 4)
        /// What can be followed.
        public static let underline = Attributes(rawValue: 8)
    }

    /// The colour of the text.
    public var colour: Colour
    /// What else is done to it.
    public var attributes: Attributes

    /// Makes a style.
    public init(_ colour: Colour = .plain, _ attributes: Attributes = []) {
        (self.colour, self.attributes) = (colour, attributes)
    }

    /// This style with more attributes.
    public func adding(_ more: Attributes) -> CellStyle { CellStyle(colour, attributes.union(more)) }
}
