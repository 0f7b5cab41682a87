import Shared

/// What one call of `triptych import` is to do.
struct ImportJob {
    private let files: [String]
    private let format: InputFormat?
    private let catalog: String?

    /// Takes it from the command line.
    ///
    /// - Throws: `StartFailure` if it says nothing that can be done.
    init(_ arguments: Arguments) throws(StartFailure) {
        let name = arguments["format"] ?? "auto"
        format = InputFormat(rawValue: name)
        guard format != nil || name == "auto" else {
            throw StartFailure(.usage, "--format is auto, catalog, changes or deb822")
        }
        catalog = arguments["catalog"]
        if let catalog, !(1...Limits.idBytesMax).contains(catalog.utf8.count) {
            throw StartFailure(.usage, "--catalog is an id of 1 to \(Limits.idBytesMax) bytes")
        }
        files = arguments.operands
        guard !files.isEmpty || format == .deb822 else {
            throw StartFailure(.usage, "no file is named; --format deb822 alone reads the indexes of apt")
        }
    }

    /// Reads all files and gives their changes to the importer.
    ///
    /// - Throws: `StartFailure` that names the file, and the line that is wrong.
    func run(_ importer: Importer, _ progress: Progress) throws(StartFailure) {
        var index = DebianIndex(catalog: catalog ?? "debian")
        for file in try files.isEmpty ? Apt.indexPaths() : files {
            let source = try Apt.open(file)
            try importer.begin(source.name)
            try read(source, &index) { change throws(StartFailure) in
                try importer.add(change)
                progress.show(source, changes: importer.totals.changes)
            }
        }
        try importer.finish()
    }

    private func read(_ source: ByteSource, _ index: inout DebianIndex, to sink: ChangeSink)
        throws(StartFailure)
    {
        var start: [UInt8] = []
        while format == nil, start.count < InputFormat.detectedBytes, try source.read(into: &start) {}
        let lines = LineReader(source, read: start)
        switch format ?? InputFormat.detect(start) {
        case .catalog:
            let text = try start + source.readAll(bytesMax: Limits.catalogFileBytesMax)
            try CatalogFile(text, name: source.name, catalog: catalog).changes(to: sink)
        case .changes:
            var changes = ChangeLines(lines, catalog: catalog)
            try changes.changes(to: sink)
        case .deb822: try index.changes(from: lines, to: sink)
        }
    }
}
