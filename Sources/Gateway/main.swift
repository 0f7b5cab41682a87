import Shared

Service.main(
    Service.Program(
        executable: "gateway", service: "gateway",
        summary:
            "Draws the columns of a session for a window, from what the other two services say.",
        options: [
            .init(
                "catalog-socket", value: "PATH",
                "the catalog service (default: $TRIPTYCH_RUN/catalog.sock, else run/catalog.sock)"),
            .init(
                "selection-socket", value: "PATH",
                "the selection service (default: $TRIPTYCH_RUN/selection.sock, else run/selection.sock)"),
            .init("no-view-cache", "compose each view anew: to measure what that costs"),
        ] + Trust.options)
) { service, arguments throws(StartFailure) in
    GatewayHandler(
        service, catalogPath: arguments["catalog-socket"] ?? Paths.socket(of: "catalog"),
        selectionPath: arguments["selection-socket"] ?? Paths.socket(of: "selection"),
        keepsViews: !arguments.has("no-view-cache"))
}
