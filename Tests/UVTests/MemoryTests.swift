import Glibc
import Testing

@testable import UV

@Suite struct MemoryTests {
    /// A sanitizer brings its own allocator.
    private static let isSanitized: Bool = {
        let address = unsafe dlsym(nil, "__asan_init")
        let thread = unsafe dlsym(nil, "__tsan_init")
        return unsafe address != nil || thread != nil
    }()

    /// What is freed between things that stay would be resident for as long as they are.
    @Test(.disabled(if: MemoryTests.isSanitized, "a sanitizer brings its own allocator"))
    func freedPagesBetweenThingsThatStayAreGivenBack() {
        Memory.keepFreed(bytesMax: 1 << 26)
        var pieces = (0..<4_000).map { [UInt8](repeating: UInt8($0 % 200 + 1), count: 16_000) }
        for index in pieces.indices where !index.isMultiple(of: 8) { pieces[index] = [] }
        let before = Memory.bytes
        Memory.giveBack()
        let after = Memory.bytes
        // 56 MB were freed; the rest of the process does something meanwhile, too.
        #expect(before.resident - after.resident > 30_000_000)
        #expect(abs(before.used - after.used) < 10_000_000 && after.used > 8_000_000)
        #expect(pieces[8].count == 16_000)
    }
}
