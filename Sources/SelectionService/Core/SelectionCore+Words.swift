import Shared

// What the core is told, and what it says.

extension SelectionCore {
    /// Something that is done to sessions.
    struct Operation: Equatable {
        let id: Int
        /// The sessions that it reads or changes.
        var sessions: [Identifier]
        /// Who asked for it; nil if the service itself did.
        var connection: ConnectionID?
        /// Whether it changes something.
        var isChange = false
        /// Whether it comes after all changes that its connection has asked for before, of whatever sessions.
        var isBarrier = false
        /// When its caller stops waiting, in milliseconds of the loop.
        var deadline: UInt64?
    }

    /// What has happened.
    enum Event {
        case arrived(Operation)
        case finished(Operation.ID)
        case blocked(Operation.ID, catalog: Identifier, Set<Thing>)
        case blockedByColumns(Operation.ID, catalog: Identifier)
        case connected
        case disconnected
        case subscribed([Identifier: Int])
        case notSubscribed
        case changed(CatalogChange)
        case located(Call.ID, Located)
        case described(Call.ID, columns: Int)
        case failed(Call.ID, RPCError)
        case timePassed(UInt64)
        case turnEnded
    }

    /// What is to be done.
    enum Effect: Equatable {
        case run(Operation.ID)
        case fail(Operation.ID, RPCError)
        case subscribe
        case locate(Call.ID, catalog: Identifier, [Thing])
        case describe(Call.ID, catalog: Identifier)
    }

    /// A question to the catalog.
    struct Call {
        typealias ID = Int
        let catalog: Identifier
        /// What is looked up; nothing if it is the catalog that is to be described.
        var things: [Thing]
        var waiting: Set<Operation.ID> = []
        /// Answers that were older than a change that was known by then.
        var staleAnswers = 0
    }
}

extension SelectionCore.Operation {
    typealias ID = Int
}
