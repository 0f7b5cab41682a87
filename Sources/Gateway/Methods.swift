import Shared

// What rpc.discover tells of the gateway.

extension GatewayHandler {
    var methods: [Method] {
        let width = #"{"type":"number","minimum":1,"maximum":100000}"#
        let window: [Method.Param] = [
            .id("session"), .id("catalog"), .init("width", width), .init("height", width),
            .init("scale", #"{"type":"number","minimum":1,"maximum":4}"#),
            .init("sizeClass", #"{"enum":["compact","regular"]}"#),
            .init("limit", #"{"type":"integer","minimum":1,"maximum":500}"#),
            .init("after", #"{"type":"string"}"#), .init("before", #"{"type":"string"}"#), .id("around"),
        ]
        let object = #"{"type":"object"}"#
        return [
            Method(
                "view.get", .read, "Draws a session for a window.", params: window,
                result: #"{"type":"object","required":["view"]}"#),
            Method(
                "view.send", .change, "Applies an event to a session and draws it for a window.",
                params: [
                    .init("event", object, isRequired: true),
                    .init("expectedRevision", #"{"type":"integer"}"#),
                ]
                    + window,
                result: #"{"type":"object","required":["changed","view"]}"#),
            Method(
                "layout.resolve", .read, "Resolves the columns of a regular window, and nothing else.",
                params: [
                    .init("width", width, isRequired: true),
                    .init("scale", #"{"type":"number","minimum":1,"maximum":4}"#, isRequired: true),
                    .init("columns", #"{"enum":[2,3]}"#, isRequired: true),
                    .init(
                        "visibility", #"{"enum":["automatic","all","doubleColumn","detailOnly"]}"#,
                        isRequired: true),
                    .init("style", #"{"enum":["automatic","balanced","prominentDetail"]}"#, isRequired: true),
                    .init(
                        "cause",
                        #"{"enum":["initialAppearance","explicitRequest","resize","contentChange"]}"#,
                        isRequired: true),
                    .init("previous", #"{"type":["object","null"]}"#),
                    .init("specs", object, isRequired: true),
                ],
                result: #"{"type":"object","required":["layout"]}"#),
        ]
    }
}
