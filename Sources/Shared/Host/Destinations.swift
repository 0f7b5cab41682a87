// Who waits for an answer.

/// The requests that are not answered yet, found by their tokens.
///
/// A token says in which place its destination is, so that nothing is hashed: each request comes by here twice.
struct Destinations {
    private struct Place {
        var token: RequestToken
        var destination: Destination?
    }

    private var places: [Place] = []
    private var free: [Int] = []
    private var serial: UInt64 = 0

    /// Places that a token can name: some more than there may be connections times requests of each.
    private static let placeBits: UInt64 = 20

    /// How many there are.
    var count: Int { places.count - free.count }

    /// Whether there are none.
    var isEmpty: Bool { count == 0 }

    /// Keeps a destination until its request is answered; no token is given twice.
    mutating func add(_ destination: Destination) -> RequestToken {
        serial += 1
        let place = free.popLast() ?? places.count
        precondition(place < 1 << Self.placeBits, "more requests under way than connections may have")
        let token = RequestToken(serial << Self.placeBits | UInt64(place))
        if place == places.count {
            places.append(Place(token: token, destination: destination))
        } else {
            places[place] = Place(token: token, destination: destination)
        }
        return token
    }

    /// The destination of a request that is not answered yet.
    subscript(token: RequestToken) -> Destination? {
        guard let place = place(of: token) else { return nil }
        return places[place].destination
    }

    /// Takes a destination out.
    mutating func remove(_ token: RequestToken) -> Destination? {
        guard let place = place(of: token), let destination = places[place].destination.take() else {
            return nil
        }
        free.append(place)
        return destination
    }

    private func place(of token: RequestToken) -> Int? {
        let place = Int(token.number & (1 << Self.placeBits - 1))
        return place < places.count && places[place].token == token ? place : nil
    }
}
