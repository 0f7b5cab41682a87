import Shared

Service.main(
    Service.Program(
        executable: "selection-service", service: "selection",
        summary: "Keeps where each session is: selection, columns, paths, history and search.",
        options: [
            .init(
                "data", value: "DIR", "the directory of selection.sqlite (default: $TRIPTYCH_DATA, else data)"
            ),
            .init(
                "catalog-socket", value: "PATH",
                "the socket of the catalog service (default: $TRIPTYCH_RUN/catalog.sock, else run/catalog.sock)"
            ),
            .init(
                "expire-days", value: "N",
                "days after which a session that did not change is deleted (default: \(Limits.expireDaysDefault))"
            ),
        ])
) { service, arguments throws(StartFailure) in
    let days = try arguments.number("expire-days", 1...Limits.expireDaysMax) ?? Limits.expireDaysDefault
    return try SelectionHandler(
        service, directory: arguments["data"] ?? Paths.data,
        catalogSocket: arguments["catalog-socket"] ?? Paths.socket(of: "catalog"), expireDays: days)
}
