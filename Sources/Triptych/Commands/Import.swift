import Shared

extension Command {
    /// `triptych import`: fills catalogs from files.
    static let `import` = Command(
        name: "import", operands: "[FILE...] [options]",
        summary: "Puts the rows of files into catalogs.",
        details: """
            A FILE is a catalog file, NDJSON of changes, or a Debian package index; - is standard input. With
            --format deb822 and no FILE the indexes are those that apt has (apt-get update brings them).
            Rows are put, nothing is deleted. Each set of changes is applied as a whole or not at all; an
            error names the file and the line, and what was applied before it stays.

              triptych import deploy/catalogs/recipes.json
              triptych import --format deb822
              triptych import --catalog recipes < changes.ndjson -
            """,
        options: [
            .init("catalog", value: "ID", "the catalog to fill (default: what the file says; debian)"),
            .init("format", value: "NAME", "auto, catalog, changes or deb822 (default: auto)"),
            .init("replace", "drop the catalog first, and with it the sessions that look at it"),
        ]
    ) { arguments throws(StartFailure) in
        let job = try ImportJob(arguments)
        return try Peer.with("catalog", path: arguments.socket(of: "catalog")) { peer throws(StartFailure) in
            let progress = Progress(isShown: Terminal.isErrorSeen)
            let importer = Importer(peer, replaces: arguments.has("replace"))
            do throws(StartFailure) {
                try job.run(importer, progress)
            } catch {
                progress.clear()
                throw error
            }
            progress.clear()
            StandardOutput.writeLine(importer.totals.summary(seconds: progress.seconds))
            return 0
        }
    }
}
