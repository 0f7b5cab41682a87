import Glibc
import TestSupport
import Testing

/// What the services leave in a directory that others can enter.
@Suite struct FileModeTests {
    @Test func allFilesOfTheServicesAreForOneUserAlone() throws {
        let product = try Product()
        defer { product.finish() }
        #expect(unsafe mkdir("\(product.directory)/data", 0o755) == 0)
        #expect(unsafe chmod("\(product.directory)/data", 0o755) == 0)
        _ = try product.startAll()
        try product.makeCatalog()
        for name in ["catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm", "selection.sqlite"] {
            #expect(FileStatus("\(product.directory)/data/\(name)")?.permissions == 0o600, "\(name)")
        }
        for service in Product.services {
            #expect(FileStatus(product.harness.socket(service) + ".lock")?.permissions == 0o600)
        }
        #expect(FileStatus("\(product.directory)/data")?.permissions == 0o755)
    }
}
