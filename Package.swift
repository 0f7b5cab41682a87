// swift-tools-version: 6.2
import PackageDescription

// deploy/simulate.sh builds the simulation alone, with a bug planted in the services if it is told to; nothing else is
// ever built so, and in no other build is there such a bug.
let simulates = Context.environment["TRIPTYCH_SIMULATION"] != nil
let canary: [SwiftSetting] =
    simulates ? Context.environment["TRIPTYCH_CANARY"].map { [.define("CANARY_\($0)")] } ?? [] : []

// References are counted without atomic operations, each of which costs as much as some twenty others: nothing of Swift
// ever runs on another thread than the loop's (docs/adr/0018-references-are-counted-without-atomics.md). But the worlds of
// the simulation run beside each other, a thread each, and share what is constant.
let singleThreaded = simulates ? [] : ["-Xfrontend", "-assume-single-threaded"]

// Every target obeys the same strict settings. "Services never import each other" and "the gateway
// holds no durable state" are facts of this dependency graph, not conventions.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    // One thread and no reentrant access: what the checks find in debug builds and tests is not checked again.
    .unsafeFlags(["-enforce-exclusivity=unchecked"] + singleThreaded, .when(configuration: .release)),
]

let package = Package(
    name: "triptych",
    products: [
        .executable(name: "catalog-service", targets: ["CatalogService"]),
        .executable(name: "selection-service", targets: ["SelectionService"]),
        .executable(name: "gateway", targets: ["Gateway"]),
        .executable(name: "triptych", targets: ["Triptych"]),
        .executable(name: "triptych-browse", targets: ["Browse"]),
        .executable(name: "triptych-web", targets: ["Web"]),
    ],
    targets: [
        // C libraries of Debian, each imported by exactly one Swift target.
        .systemLibrary(name: "CUV", providers: [.apt(["libuv1-dev"])]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CUTF8Proc", providers: [.apt(["libutf8proc-dev"])]),
        .systemLibrary(name: "CCurses", providers: [.apt(["libncurses-dev"])]),
        .target(
            name: "CSimdJSON",
            cxxSettings: [.unsafeFlags(["-O2"])],  // also in debug builds: tests parse a great deal
            linkerSettings: [.linkedLibrary("simdjson")]),
        .target(
            name: "CWebSockets", linkerSettings: [.linkedLibrary("websockets"), .linkedLibrary("crypto")]),

        // Their Swift faces: no C type appears in a public signature.
        .target(name: "UV", dependencies: ["CUV"], swiftSettings: strict),
        .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),
        .target(name: "Text", dependencies: ["CUTF8Proc"], swiftSettings: strict),
        .target(name: "Curses", dependencies: ["CCurses"], swiftSettings: strict),
        .target(
            name: "JSON", dependencies: ["CSimdJSON"], swiftSettings: strict,
            linkerSettings: [.linkedLibrary("m")]),  // rounding, which Foundation would bring in
        .target(name: "WebSockets", dependencies: ["CWebSockets", "UV"], swiftSettings: strict),

        // What all processes speak: vocabulary, wire, and the host of a service.
        .target(name: "Shared", dependencies: ["UV", "JSON"], swiftSettings: strict),

        // The four programs.
        .executableTarget(
            name: "CatalogService", dependencies: ["Shared", "UV", "JSON", "SQLite", "Text"],
            swiftSettings: strict),
        .executableTarget(
            name: "SelectionService", dependencies: ["Shared", "UV", "JSON", "SQLite"],
            swiftSettings: strict),
        .executableTarget(
            name: "Gateway", dependencies: ["Shared", "UV", "JSON"], swiftSettings: strict),
        .executableTarget(
            name: "Triptych", dependencies: ["Shared", "UV", "JSON"], swiftSettings: strict),

        // The front ends.
        .executableTarget(
            name: "Browse", dependencies: ["Shared", "UV", "JSON", "Curses"], swiftSettings: strict),
        // The page in a browser, and what carries lines between it and the gateway. The page is in the program, so that
        // wherever the program stands, it has the page that it was built with.
        .executableTarget(
            name: "Web", dependencies: ["WebSockets", "Shared", "UV", "JSON"],
            resources: [.embedInCode("Page")], swiftSettings: strict),

        // Load on the programs; deploy/bench.sh runs it.
        .executableTarget(
            name: "bench", dependencies: ["Shared", "UV", "JSON", "SQLite"], path: "Benchmarks",
            exclude: ["candidate.sh", "instructions.json", "web-paint.py"], swiftSettings: strict),

        // Tests.
        .target(
            name: "TestSupport", dependencies: ["Shared", "UV", "JSON"], path: "Tests/TestSupport",
            swiftSettings: strict),
        .testTarget(name: "UVTests", dependencies: ["UV", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: strict),
        .testTarget(name: "SQLiteTests", dependencies: ["SQLite", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "TextTests", dependencies: ["Text"], swiftSettings: strict),
        .testTarget(
            name: "SharedTests", dependencies: ["Shared", "UV", "JSON", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "CatalogServiceTests",
            dependencies: ["CatalogService", "Shared", "UV", "JSON", "SQLite", "Text", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "SelectionServiceTests",
            dependencies: ["SelectionService", "Shared", "UV", "JSON", "SQLite", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "GatewayTests", dependencies: ["Gateway", "Shared", "UV", "JSON", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "TriptychTests", dependencies: ["Triptych", "Shared", "UV", "JSON", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "BrowseTests", dependencies: ["Browse", "Shared", "UV", "JSON", "Curses", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "BrowseTerminalTests",
            dependencies: [
                "Browse", "CatalogService", "SelectionService", "Gateway", "Triptych", "Shared", "UV", "JSON",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WebTests", dependencies: ["Web", "WebSockets", "Shared", "UV", "JSON", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ContractTests",
            dependencies: [
                "CatalogService", "SelectionService", "Gateway", "Shared", "UV", "JSON", "SQLite", "Text",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "CatalogService", "SelectionService", "Gateway", "Shared", "UV", "JSON", "SQLite",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(name: "TidyTests", dependencies: ["Shared", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SystemTests",
            dependencies: [
                "CatalogService", "SelectionService", "Gateway", "Triptych", "Browse", "Web", "Shared", "UV",
                "JSON",
                "TestSupport",
            ],
            swiftSettings: strict),
    ],
    cxxLanguageStandard: .cxx17
)

if simulates {
    let left: Set = ["Triptych", "bench"]
    package.targets.removeAll {
        left.contains($0.name) || $0.type == .test && $0.name != "SimulationTests"
    }
    package.products.removeAll { $0.name == "triptych" }
    for target in package.targets where ["Shared", "SelectionService", "Gateway"].contains(target.name) {
        target.swiftSettings?.append(contentsOf: canary)
    }
}
