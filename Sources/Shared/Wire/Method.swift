import JSON

/// What is told of a method in `rpc.discover`, and what the host must know of it.
public struct Method: Sendable {
    /// What a method does to the service.
    public enum Kind: Sendable {
        /// Tells something.
        case read
        /// Changes something: never done for a notification, answered after what it causes is on its way.
        case change
        /// Starts a stream of events: not in a batch.
        case subscribe
    }

    /// A named param.
    public struct Param: Sendable {
        let name: String
        let isRequired: Bool
        /// A JSON schema.
        let schema: String

        /// Describes a param by a JSON schema, such as `{"type":"string"}`.
        public init(_ name: String, _ schema: String, isRequired: Bool = false) {
            self.name = name
            self.schema = schema
            self.isRequired = isRequired
        }

        /// A param that is an id.
        public static func id(_ name: String, isRequired: Bool = false) -> Param {
            Param(name, #"{"type":"string","minLength":1,"maxLength":128}"#, isRequired: isRequired)
        }
    }

    /// Its name on the wire.
    public let name: String
    /// What it does to the service.
    public let kind: Kind
    let summary: String
    let params: [Param]
    let result: String

    /// Describes a method; `result` is a JSON schema.
    public init(
        _ name: String, _ kind: Kind, _ summary: String, params: [Param] = [],
        result: String = #"{"type":"object"}"#
    ) {
        (self.name, self.kind, self.summary, self.params, self.result) = (name, kind, summary, params, result)
    }

    /// Writes the method object of an OpenRPC document.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("summary", summary)
            json.member("paramStructure", "by-name")
            json.array("params") { json in
                // OpenRPC wants the required ones first.
                for param in params.filter(\.isRequired) + params.filter({ !$0.isRequired }) {
                    json.object { json in
                        json.member("name", param.name)
                        json.member("required", param.isRequired)
                        json.member("schema", raw: Array(param.schema.utf8))
                    }
                }
            }
            json.object("result") { json in
                json.member("name", "result")
                json.member("schema", raw: Array(result.utf8))
            }
        }
    }
}
