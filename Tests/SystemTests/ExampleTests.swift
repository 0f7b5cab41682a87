import Glibc
import JSON
import TestSupport
import Testing

/// The small front ends of docs/front-end.md are used as a person would use them.
@Suite struct ExampleTests {
    private static let examples = ["docs/examples/browse.py", "docs/examples/browse.sh"]

    @Test(arguments: examples) func theyStandInTheDocumentAsTheyAre(example: String) throws {
        let document = try Repository.text("docs/front-end.md")
        let language = example.hasSuffix(".py") ? "python" : "bash"
        #expect(document.contains("```\(language)\n\(try Repository.text(example))```\n"))
    }

    @Test(arguments: examples) func aPersonBrowsesSearchesAndLeaves(example: String) throws {
        let product = try Product()
        defer { product.finish() }
        _ = try product.startAll()
        try product.makeCatalog()
        let keyboard = try Keyboard("\(product.directory)/keyboard")
        defer { keyboard.close() }
        let child = try product.spawn(
            "\(Repository.root)/\(example)", [], input: keyboard.path,
            variables: ["TRIPTYCH_RUN": product.directory, "COLUMNS": "130"])
        func until(_ shown: String) throws {
            try product.harness.until("it shows \(shown): \(child.output) \(child.errors)", seconds: 20) {
                child.output.contains(shown)
            }
        }
        let isPython = example.hasSuffix(".py")
        // All columns beside each other, and numbers for what can be chosen.
        try until("Ay")
        keyboard.type(isPython ? "1" : "2")
        try until("Title 9")
        keyboard.type("/title 3")
        let gateway = try product.connect("gateway")
        try product.harness.until("the list is searched") {
            let view = try? gateway.call("view.get", "{}")["view"]
            return view?["content"]?["page"]?["total"]?.int == 1
        }
        keyboard.type(isPython ? "2" : "3")
        try until(isPython ? "Title 3 *" : "* Title 3")
        if isPython {
            // What others do is shown by itself.
            _ = try gateway.call("view.send", #"{"event":{"type":"select","column":"content","id":"a3"}}"#)
            _ = try gateway.call("view.send", #"{"event":{"type":"search","text":"title 7"}}"#)
            try until("2 Title 7")
        }
        keyboard.type("q")
        #expect(try product.untilEnd(child) == .exited(0))
        #expect(child.errors == [])
    }
}

/// A terminal's input that a test types into.
private final class Keyboard {
    let path: String
    private let descriptor: Int32

    init(_ path: String) throws {
        self.path = path
        guard unsafe mkfifo(path, 0o600) == 0 else { throw Failure(description: "can't make \(path)") }
        // Open for both, so that who opens it to read need not wait for somebody who writes.
        descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(description: "can't open \(path)") }
    }

    func type(_ line: String) {
        let bytes = Array(line.utf8) + [0x0A]
        _ = unsafe write(descriptor, bytes, bytes.count)
    }

    func close() { _ = Glibc.close(descriptor) }
}
