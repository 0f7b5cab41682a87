import Shared

// The catalog service: what there is.

Service.main(
    Service.Program(
        executable: "catalog-service", service: "catalog",
        summary: "Keeps catalogs of categories and items, and tells of their changes.",
        options: [
            .init("data", value: "DIR", "where catalog.sqlite is kept (default: $TRIPTYCH_DATA, else data)")
        ])
) { service, arguments throws(StartFailure) in
    let data = arguments["data"] ?? Paths.data
    try Paths.makeDirectory(data)
    return try CatalogHandler(service, path: "\(data)/catalog.sqlite")
}
