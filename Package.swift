// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Overmorrow",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "Overmorrow", targets: ["Overmorrow"]),
    .library(name: "OvermorrowFlow", targets: ["OvermorrowFlow"]),
    .library(name: "OvermorrowFoundation", targets: ["OvermorrowFoundation"]),
    .library(name: "OvermorrowObservation", targets: ["OvermorrowObservation"]),
    .library(name: "OvermorrowTesting", targets: ["OvermorrowTesting"]),
    .library(name: "OvermorrowTracing", targets: ["OvermorrowTracing"]),
  ],
  targets: [
    .target(name: "COvermorrowSystem"),
    .target(name: "OvermorrowEngine", dependencies: ["COvermorrowSystem"]),
    .target(name: "OvermorrowDiagnostics", dependencies: ["OvermorrowEngine", "OvermorrowSymbols"]),
    .target(name: "Overmorrow", dependencies: ["OvermorrowEngine", "OvermorrowDiagnostics"]),
    .target(name: "OvermorrowFlow", dependencies: ["Overmorrow", "OvermorrowDiagnostics", "OvermorrowEngine"]),
    .target(
      name: "OvermorrowFoundation",
      dependencies: ["Overmorrow", "OvermorrowDiagnostics", "OvermorrowEngine", "OvermorrowFlow"]),
    .target(
      name: "OvermorrowObservation",
      dependencies: ["Overmorrow", "OvermorrowDiagnostics", "OvermorrowEngine", "OvermorrowFlow"]),
    .target(
      name: "OvermorrowTesting",
      dependencies: ["Overmorrow", "OvermorrowDiagnostics", "OvermorrowEngine", "OvermorrowTestingSymbols"]),
    .target(name: "OvermorrowTracing", dependencies: ["Overmorrow", "OvermorrowDiagnostics", "OvermorrowEngine"]),
    .target(name: "LoopbackServer", path: "Tests/LoopbackServer"),
    .target(
      name: "TestSupport",
      dependencies: ["COvermorrowSystem", "Overmorrow", "OvermorrowDiagnostics", "OvermorrowEngine"],
      path: "Tests/TestSupport"),
  ],
  swiftLanguageModes: [.v6]
)

// The tests, in few targets, because each target loads all modules again. `Scripts/test` leaves out the messages of the
// compiler, which take minutes.
for (name, modules) in [
  ("CompilerTests", ["OvermorrowFlow"]),
  ("CoreTests", ["OvermorrowFlow"]),
  ("DiagnosticsTests", ["OvermorrowFlow"]),
  ("DocumentationTests", ["OvermorrowFlow"]),
  ("EngineTests", []),
  ("FlowTests", ["OvermorrowFlow"]),
  (
    "ModuleTests",
    ["LoopbackServer", "OvermorrowFlow", "OvermorrowFoundation", "OvermorrowObservation", "OvermorrowTracing"]
  ),
] {
  let common = [
    "COvermorrowSystem", "Overmorrow", "OvermorrowDiagnostics", "OvermorrowEngine", "OvermorrowTesting", "TestSupport",
  ]
  package.targets.append(.testTarget(name: name, dependencies: (common + modules).map { .target(name: $0) }))
}

// Bridges to other packages, each behind a trait: `Sources/Overmorrow/Overmorrow.docc/Integrations.md`. The package
// manager does not fetch a package unless a client enables its trait. Without the trait the module is empty, except
// `OvermorrowCombine` on platforms with Combine.
package.traits = [
  .trait(
    name: "AsyncHTTPClient",
    description: "OvermorrowAsyncHTTPClient: sends the requests of network sessions through AsyncHTTPClient."),
  .trait(name: "Logging", description: "OvermorrowLogging: logs diagnostics with swift-log."),
  .trait(name: "Metrics", description: "OvermorrowMetrics: records the parts of OvermorrowFlow with swift-metrics."),
  .trait(name: "OpenCombine", description: "OvermorrowCombine uses OpenCombine on platforms without Combine."),
  .trait(
    name: "ServiceLifecycle",
    description: "OvermorrowServiceLifecycle: closes gates on graceful shutdown, with swift-service-lifecycle."),
  .trait(
    name: "SwiftNIO",
    description: "OvermorrowNIO: uses event loops as contexts, and converts between futures and promises."),
]
package.dependencies = [
  .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
  .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
  .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
]
@MainActor func bridge(
  _ module: String, to products: [(name: String, package: String)], trait: String, from bases: String...
) {
  package.products.append(.library(name: module, targets: [module]))
  let products = products.map { product in
    Target.Dependency.product(name: product.name, package: product.package, condition: .when(traits: [trait]))
  }
  package.targets.append(
    .target(
      name: module, dependencies: bases.map { .target(name: $0) } + products,
      path: "Sources/Integrations/\(module)"))
}
bridge(
  "OvermorrowAsyncHTTPClient",
  to: [
    ("AsyncHTTPClient", "async-http-client"), ("NIOCore", "swift-nio"), ("NIOHTTP1", "swift-nio"),
    ("NIOPosix", "swift-nio"),
  ],
  trait: "AsyncHTTPClient", from: "OvermorrowFoundation")
bridge(
  "OvermorrowCombine", to: [("OpenCombine", "OpenCombine")], trait: "OpenCombine", from: "Overmorrow",
  "OvermorrowEngine")
bridge("OvermorrowLogging", to: [("Logging", "swift-log")], trait: "Logging", from: "Overmorrow")
bridge("OvermorrowMetrics", to: [("Metrics", "swift-metrics")], trait: "Metrics", from: "OvermorrowFlow")
bridge("OvermorrowNIO", to: [("NIOCore", "swift-nio")], trait: "SwiftNIO", from: "Overmorrow")
bridge(
  "OvermorrowServiceLifecycle", to: [("ServiceLifecycle", "swift-service-lifecycle")], trait: "ServiceLifecycle",
  from: "OvermorrowFlow")

// The reader of debug information, which uses the toolchain's `Runtime`, is compiled into debug builds of the core, and
// into release builds of the testing kit. No module imports it (`Documentation/0025-trails-in-release-builds.md`). The
// target for release builds consists of a link to the sources of the other one.
for (user, reader, configuration) in [
  ("OvermorrowDiagnostics", "OvermorrowSymbols", BuildConfiguration.debug),
  ("OvermorrowTesting", "OvermorrowTestingSymbols", .release),
] {
  package.targets.append(.target(name: reader, dependencies: ["OvermorrowEngine"]))
  for target in package.targets where [user, reader].contains(target.name) {
    target.swiftSettings =
      (target.swiftSettings ?? []) + [.define("OVERMORROW_SYMBOLS", .when(configuration: configuration))]
  }
}

for target in package.targets where target.name != "COvermorrowSystem" {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .strictMemorySafety(),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// Atomics and locks need `@_rawLayout`, which keeps their words at a fixed address. `Builtin` provides addresses and
// conversions of closures without requiring a newer runtime.
//
// If a compiler no longer has these experimental features, set this variable, or remove the condition. Everything else
// remains the same (`Documentation/0014-platform-floor.md`).
if Context.environment["OVERMORROW_PLAIN"] == "1" {
  for target in package.targets where target.name != "COvermorrowSystem" {
    target.swiftSettings? += [.define("OVERMORROW_PLAIN")]
  }
} else {
  for target in package.targets where target.name == "OvermorrowEngine" {
    target.swiftSettings? += [.enableExperimentalFeature("BuiltinModule"), .enableExperimentalFeature("RawLayout")]
  }
}

// With the names of test targets in this variable, the package has no other test targets, and `swift test` builds no
// others.
if let names = Context.environment["OVERMORROW_TESTS"] {
  package.targets.removeAll { $0.type == .test && !names.split(separator: " ").map(String.init).contains($0.name) }
}

// With this variable, `.ci/run` treats warnings as errors in each of its builds. Nothing else sets it.
if Context.environment["OVERMORROW_WARNINGS"] == "error" {
  for target in package.targets {
    if target.name == "COvermorrowSystem" {
      target.cSettings = (target.cSettings ?? []) + [.treatAllWarnings(as: .error)]
    } else {
      target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    }
  }
}
