import Shared

// What rpc.discover tells of the gateway.

extension GatewayHandler {
    var methods: [Method] { Self.views + Self.windows + [Self.layout] }

    private static let width = #"{"type":"number","minimum":1,"maximum":100000}"#
    private static let scale = #"{"type":"number","minimum":1,"maximum":4}"#
    private static let text = #"{"type":"string"}"#
    private static let object = #"{"type":"object"}"#

    private static let size: [Method.Param] = [
        .init("width", width), .init("height", width), .init("scale", scale),
        .init("sizeClass", #"{"enum":["compact","regular"]}"#),
    ]
    private static let rows: [Method.Param] = [
        .init("limit", #"{"type":"integer","minimum":1,"maximum":500}"#), .init("after", text),
        .init("before", text), .id("around"),
    ]
    private static let window = [Method.Param.id("session"), .id("catalog")] + size + rows

    private static let views = [
        Method(
            "view.get", .read, "Draws a session for a window, or tells what a subscribed one shows.",
            params: window + [.id("subscription")], result: #"{"type":"object","required":["view"]}"#),
        Method(
            "view.send", .change, "Applies an event to a session and draws it for a window.",
            params: [
                .init("event", object, isRequired: true), .init("expectedRevision", #"{"type":"integer"}"#),
            ] + window + [.id("subscription")],
            result: #"{"type":"object","required":["changed","view"]}"#),
    ]

    private static let windows = [
        Method(
            "view.subscribe", .subscribe, "Draws a session for a window, and again whenever it changes.",
            params: window + [
                .init("format", #"{"enum":["full","patch"]}"#), .init("keepAfterEof", #"{"type":"boolean"}"#),
            ],
            result: #"{"type":"object","required":["subscription","view"]}"#),
        Method(
            "view.resize", .read, "Gives a subscribed window another size.",
            params: [.id("subscription", isRequired: true)] + size, result: changed),
        Method(
            "view.scroll", .read, "Shows other rows in a subscribed window, or those around the selection.",
            params: [.id("subscription", isRequired: true)] + rows, result: changed),
        Method(
            "view.unsubscribe", .read, "Ends a subscribed window.",
            params: [.id("subscription", isRequired: true)]),
    ]

    private static let changed = #"{"type":"object","required":["changed"]}"#

    private static let layout = Method(
        "layout.resolve", .read, "Resolves the columns of a regular window, and nothing else.",
        params: [
            .init("width", width, isRequired: true), .init("scale", scale, isRequired: true),
            .init("columns", #"{"enum":[2,3]}"#, isRequired: true),
            .init(
                "visibility", #"{"enum":["automatic","all","doubleColumn","detailOnly"]}"#, isRequired: true),
            .init("style", #"{"enum":["automatic","balanced","prominentDetail"]}"#, isRequired: true),
            .init(
                "cause", #"{"enum":["initialAppearance","explicitRequest","resize","contentChange"]}"#,
                isRequired: true),
            .init("previous", #"{"type":["object","null"]}"#), .init("specs", object, isRequired: true),
        ],
        result: #"{"type":"object","required":["layout"]}"#)
}
