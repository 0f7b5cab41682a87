import JSON
import UV

// What is told of the connections, for who looks for the client that makes trouble.

extension Server {
    /// Writes each connection, in the order in which they came.
    func writeConnections(to json: inout JSONWriter) {
        json.object { json in
            json.array("connections") { json in
                for connection in connections.values.sorted(by: { $0.id.number < $1.id.number }) {
                    write(connection, to: &json)
                }
            }
        }
    }

    private func write(_ connection: Connection, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", connection.id.number)
            json.member("pid", connection.peer.map { Int($0.process) })
            json.member("uid", connection.peer.map { Int($0.user) })
            json.member("ageSeconds", Int((loop.now - connection.acceptedAt) / 1_000))
            json.member("requestsInFlight", connection.inFlight)
            json.member("queuedBytes", queuedBytes(connection))
            json.member("subscriptions", connection.subscriptions.count)
        }
    }
}
