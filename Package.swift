// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Overmorrow",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "Overmorrow", targets: ["Overmorrow"]),
    .library(name: "OvermorrowFoundation", targets: ["OvermorrowFoundation"]),
    .library(name: "OvermorrowTesting", targets: ["OvermorrowTesting"]),
    .library(name: "OvermorrowTracing", targets: ["OvermorrowTracing"]),
    .library(name: "Tomorrowland", targets: ["Tomorrowland"]),
    .library(name: "FranticApparatus", targets: ["FranticApparatus"]),
    .library(name: "PromiseKit", targets: ["PromiseKit"]),
    .library(name: "PromiseQ", targets: ["PromiseQ"]),
    .library(name: "ShallowPromises", targets: ["ShallowPromises"]),
  ],
  targets: [
    .target(name: "COvermorrowSystem"),
    .target(name: "Overmorrow", dependencies: ["COvermorrowSystem"]),
    .target(name: "OvermorrowFoundation", dependencies: ["Overmorrow"]),
    .target(name: "OvermorrowTesting", dependencies: ["Overmorrow"]),
    .target(name: "OvermorrowTracing", dependencies: ["Overmorrow"]),
    .target(name: "FranticApparatus", dependencies: ["Overmorrow"], path: "Sources/DropIn/FranticApparatus"),
    .target(name: "PromiseKit", dependencies: ["Overmorrow"], path: "Sources/DropIn/PromiseKit"),
    .target(name: "PromiseQ", dependencies: ["PromiseQBase"], path: "Sources/DropIn/PromiseQ"),
    .target(
      name: "PromiseQBase", dependencies: ["Overmorrow", "OvermorrowFoundation"], path: "Sources/DropIn/PromiseQBase"),
    .target(name: "ShallowPromises", dependencies: ["Overmorrow"], path: "Sources/DropIn/ShallowPromises"),
    .target(
      name: "Tomorrowland", dependencies: ["Overmorrow", "OvermorrowFoundation"], path: "Sources/DropIn/Tomorrowland"),
    .target(name: "LoopbackServer", path: "Tests/LoopbackServer"),
    .target(name: "TestSupport", dependencies: ["COvermorrowSystem", "Overmorrow"], path: "Tests/TestSupport"),
    .testTarget(
      name: "OvermorrowFoundationTests",
      dependencies: ["LoopbackServer", "Overmorrow", "OvermorrowFoundation", "OvermorrowTesting", "TestSupport"]),
    .testTarget(
      name: "OvermorrowTracingTests",
      dependencies: ["Overmorrow", "OvermorrowTesting", "OvermorrowTracing", "TestSupport"]),
    .testTarget(name: "FranticApparatusTests", dependencies: ["Overmorrow", "FranticApparatus", "TestSupport"]),
    .testTarget(
      name: "PromiseKitTests", dependencies: ["Overmorrow", "OvermorrowTesting", "PromiseKit", "TestSupport"]),
    .testTarget(name: "PromiseQTests", dependencies: ["LoopbackServer", "Overmorrow", "PromiseQ", "TestSupport"]),
    .testTarget(name: "ShallowPromisesTests", dependencies: ["Overmorrow", "ShallowPromises", "TestSupport"]),
    .testTarget(name: "TomorrowlandTests", dependencies: ["TestSupport", "Tomorrowland"]),
  ],
  swiftLanguageModes: [.v6]
)

// The tests of the core, a target for each layer, and of `OvermorrowTesting`, so that a change of one test compiles few others.
package.targets += [
  "CancellationTests", "CombinatorTests", "CompilerTests", "DiagnosticsTests", "DocumentationTests", "EngineTests",
  "FlowTests", "OperatorTests", "OvermorrowTestingTests", "TimeTests",
].map { .testTarget(name: $0, dependencies: ["COvermorrowSystem", "Overmorrow", "OvermorrowTesting", "TestSupport"]) }

// The C interface, whose functions are declared with `@c`: Swift 6.3 has that. Packages depend on the first of its
// products; programs that are not built by the package manager link the second, which has all of it inside.
#if compiler(>=6.3)
  package.products += [
    .library(name: "OvermorrowC", targets: ["OvermorrowC", "COvermorrow"]),
    .library(name: "OvermorrowCDynamic", type: .dynamic, targets: ["OvermorrowC"]),
  ]
  package.targets += [
    .target(name: "COvermorrow"),
    .target(name: "OvermorrowC", dependencies: ["COvermorrow", "Overmorrow"]),
    .target(name: "OvermorrowObjC", dependencies: ["COvermorrow", "OvermorrowC"]),
    .testTarget(name: "OvermorrowCTests", dependencies: ["COvermorrow", "Overmorrow", "OvermorrowC", "TestSupport"]),
  ]

  // Where there is Apple's Foundation, `import Tomorrowland` brings its Objective-C classes. Elsewhere their files are
  // empty, and nothing depends on them: `Scripts/objective-c` builds them with GNUstep.
  let apple = TargetDependencyCondition.when(platforms: [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS])
  for target in package.targets where target.name == "Tomorrowland" {
    target.dependencies += ["COvermorrow", "OvermorrowC", "OvermorrowObjC"].map { .target(name: $0, condition: apple) }
  }
#endif

// Bridges to other packages, each behind a trait: `Documentation/Integrations.md`. Unless a client asks for the trait, the package manager
// does not fetch the package, and the module is empty, but for `OvermorrowCombine` where there is Combine.
package.traits = [
  .trait(name: "AsyncHTTPClient", description: "OvermorrowAsyncHTTPClient: network sessions by AsyncHTTPClient."),
  .trait(name: "Logging", description: "OvermorrowLogging: diagnostics as messages of swift-log."),
  .trait(name: "Metrics", description: "OvermorrowMetrics: limiters, caches and retries in swift-metrics."),
  .trait(name: "OpenCombine", description: "OvermorrowCombine and PromiseKit with OpenCombine, in place of Combine."),
  .trait(name: "SwiftNIO", description: "OvermorrowNIO: event loops as contexts, futures as promises."),
]
package.dependencies = [
  .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
  .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
]
@MainActor func bridge(
  _ module: String, to products: [(name: String, package: String)], trait: String, from base: String
) {
  package.products.append(.library(name: module, targets: [module]))
  let products = products.map { product in
    Target.Dependency.product(name: product.name, package: product.package, condition: .when(traits: [trait]))
  }
  package.targets.append(
    .target(name: module, dependencies: [.target(name: base)] + products, path: "Sources/Integrations/\(module)"))
}
bridge(
  "OvermorrowAsyncHTTPClient",
  to: [
    ("AsyncHTTPClient", "async-http-client"), ("NIOCore", "swift-nio"), ("NIOHTTP1", "swift-nio"),
    ("NIOPosix", "swift-nio"),
  ],
  trait: "AsyncHTTPClient", from: "OvermorrowFoundation")
bridge("OvermorrowCombine", to: [("OpenCombine", "OpenCombine")], trait: "OpenCombine", from: "Overmorrow")
for target in package.targets where target.name == "PromiseKit" {
  target.dependencies.append(
    .product(name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])))
}
bridge("OvermorrowLogging", to: [("Logging", "swift-log")], trait: "Logging", from: "Overmorrow")
bridge("OvermorrowMetrics", to: [("Metrics", "swift-metrics")], trait: "Metrics", from: "Overmorrow")
bridge("OvermorrowNIO", to: [("NIOCore", "swift-nio")], trait: "SwiftNIO", from: "Overmorrow")

// The clients of the drop-in modules are old code, and so are their tests.
let oldCode = [
  "FranticApparatusTests", "PromiseKitTests", "PromiseQTests", "ShallowPromisesTests", "TomorrowlandTests",
]
let inC = ["COvermorrow", "COvermorrowSystem", "OvermorrowObjC"]

for target in package.targets where oldCode.contains(target.name) {
  target.swiftSettings = [.swiftLanguageMode(.v5)]
}

for target in package.targets where !(oldCode + inC).contains(target.name) {
  target.swiftSettings = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}

// Atomics and locks keep their words in place (`@_rawLayout`), and ask for addresses, and for closures of another type, in ways that
// need nothing of a newer runtime (`Builtin`).
for target in package.targets where target.name == "Overmorrow" {
  target.swiftSettings? += [.enableExperimentalFeature("BuiltinModule"), .enableExperimentalFeature("RawLayout")]
}

// Its promise can be subclassed, so it cannot be `Sendable` without a warning in each subclass; and if it is not, clients are
// warned wherever they take it to a queue, unless its module is as old as they are.
for target in package.targets where target.name == "ShallowPromises" {
  target.swiftSettings?.append(.swiftLanguageMode(.v5))
}

// `.ci/run` takes a warning for an error, in each of its builds, by this variable. Nobody else does.
if Context.environment["OVERMORROW_WARNINGS"] == "error" {
  for target in package.targets {
    if inC.contains(target.name) {
      target.cSettings = (target.cSettings ?? []) + [.treatAllWarnings(as: .error)]
    } else {
      target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    }
  }
}

// Nothing but the core, with three files of the explorer's instead of its own, and the explorer: `Scripts/explore`.
if Context.environment["OVERMORROW_EXPLORING"] != nil {
  let settings: [SwiftSetting] = [
    .unsafeFlags(["-enable-testing", "-enforce-exclusivity=unchecked"])
  ]
  package.products = []
  package.targets = package.targets.filter { ["COvermorrowSystem", "Overmorrow"].contains($0.name) }
  for target in package.targets where target.name == "Overmorrow" {
    let replaced = ["Support/Atomic", "Support/Guarded", "Support/Seam"].map { "Sources/Overmorrow/\($0).swift" }
    target.path = "."
    target.sources = ["Sources/Overmorrow", "Tests/Exploration/Seam"]
    target.exclude = replaced + ["Sources/Overmorrow/Overmorrow.docc"]
  }
  package.targets += [
    .target(name: "ExplorerContexts", path: "Tests/Exploration/Contexts"),
    .executableTarget(
      name: "explore", dependencies: ["ExplorerContexts", "Overmorrow"], path: "Tests/Exploration/Explorer"),
  ]
  for target in package.targets where !(inC + ["ExplorerContexts"]).contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? [.swiftLanguageMode(.v5)]) + settings
  }
}
