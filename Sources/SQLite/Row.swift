/// The row that a statement stands at; not to be kept.
public struct Row {
    let statement: Statement

    /// A whole number; NULL is 0.
    public func int(_ column: Int) -> Int { statement.int(column) }

    /// A whole number or nil.
    public func optionalInt(_ column: Int) -> Int? { isNull(column) ? nil : int(column) }

    /// A number; NULL is 0.
    public func double(_ column: Int) -> Double { statement.double(column) }

    /// A text; NULL is empty.
    public func text(_ column: Int) -> String { statement.text(column) }

    /// The bytes of a text or blob; NULL has none.
    public func bytes(_ column: Int) -> [UInt8] { statement.bytes(column) }

    /// Whether there is no value.
    public func isNull(_ column: Int) -> Bool { statement.isNull(column) }
}
