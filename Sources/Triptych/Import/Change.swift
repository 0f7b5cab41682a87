import Shared

/// One change of a catalog, and where it was read.
struct Change: Equatable {
    /// The catalog that is changed.
    let catalog: String
    /// The change as the wire has it, compact.
    let json: [UInt8]
    /// The line where it was read, from 1.
    let line: Int
    /// Whether it stands for itself: then sets may follow it before it is answered.
    let isRow: Bool
}

/// Where a reader's changes go.
typealias ChangeSink = (Change) throws(StartFailure) -> Void
