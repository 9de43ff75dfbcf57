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
    .library(name: "PMKFoundation", targets: ["PMKFoundation"]),
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
    .target(
      name: "PMKFoundation", dependencies: ["Overmorrow", "OvermorrowFoundation", "PromiseKit"],
      path: "Sources/DropIn/PMKFoundation"),
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
      name: "PMKFoundationTests",
      dependencies: ["LoopbackServer", "Overmorrow", "PMKFoundation", "PromiseKit", "TestSupport"]),
    .testTarget(
      name: "PromiseKitTests", dependencies: ["Overmorrow", "OvermorrowTesting", "PromiseKit", "TestSupport"]),
    .testTarget(name: "PromiseQTests", dependencies: ["LoopbackServer", "Overmorrow", "PromiseQ", "TestSupport"]),
    .testTarget(name: "ShallowPromisesTests", dependencies: ["Overmorrow", "ShallowPromises", "TestSupport"]),
    .testTarget(name: "TomorrowlandTests", dependencies: ["TestSupport", "Tomorrowland"]),
  ],
  swiftLanguageModes: [.v6]
)

// The tests of the core, one target for each layer, and of `OvermorrowTesting`. With separate targets, a change of one
// test recompiles few others.
package.targets += [
  "CancellationTests", "CombinatorTests", "CompilerTests", "DiagnosticsTests", "DocumentationTests", "EngineTests",
  "FlowTests", "OperatorTests", "OvermorrowTestingTests", "TimeTests",
].map { .testTarget(name: $0, dependencies: ["COvermorrowSystem", "Overmorrow", "OvermorrowTesting", "TestSupport"]) }

// The C interface. Its functions are declared with `@c`, which needs Swift 6.3. Packages depend on the first of its
// products. Programs that the package manager does not build link the second one, which contains everything that it
// needs.
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

  // With Apple's Foundation, `import Tomorrowland` also imports its Objective-C classes. On other platforms the files
  // of these classes are empty, and nothing depends on them; `Scripts/objective-c` builds them with GNUstep.
  let apple = TargetDependencyCondition.when(platforms: [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS])
  for target in package.targets where target.name == "Tomorrowland" {
    target.dependencies += ["COvermorrow", "OvermorrowC", "OvermorrowObjC"].map { .target(name: $0, condition: apple) }
  }
#endif

// Bridges to other packages, each behind a trait: `Sources/Overmorrow/Overmorrow.docc/Integrations.md`. The package
// manager does not fetch a package unless a client enables its trait. Without the trait the module is empty, except
// `OvermorrowCombine` on platforms with Combine.
package.traits = [
  .trait(
    name: "AsyncHTTPClient",
    description: "OvermorrowAsyncHTTPClient: sends the requests of network sessions through AsyncHTTPClient."),
  .trait(name: "Logging", description: "OvermorrowLogging: logs diagnostics with swift-log."),
  .trait(name: "Metrics", description: "OvermorrowMetrics: records limiters, caches and retries with swift-metrics."),
  .trait(
    name: "OpenCombine", description: "OvermorrowCombine and PromiseKit use OpenCombine on platforms without Combine."),
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

// The clients of the drop-in modules are old code, and so are the tests of these modules.
let oldCode = [
  "FranticApparatusTests", "PMKFoundationTests", "PromiseKitTests", "PromiseQTests", "ShallowPromisesTests",
  "TomorrowlandTests",
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

// Atomics and locks need `@_rawLayout`, which keeps their words at a fixed address. `Builtin` provides addresses and
// conversions of closures without requiring a newer runtime.
for target in package.targets where target.name == "Overmorrow" {
  target.swiftSettings? += [.enableExperimentalFeature("BuiltinModule"), .enableExperimentalFeature("RawLayout")]
}

// The promise of this module can be subclassed. If it were `Sendable`, each subclass would cause a warning. As it is
// not `Sendable`, clients would get a warning wherever they pass it to a queue, unless the module is in the Swift 5
// mode, as they are.
for target in package.targets where target.name == "ShallowPromises" {
  target.swiftSettings?.append(.swiftLanguageMode(.v5))
}

// With this variable, `.ci/run` treats warnings as errors in each of its builds. Nothing else sets it.
if Context.environment["OVERMORROW_WARNINGS"] == "error" {
  for target in package.targets {
    if inC.contains(target.name) {
      target.cSettings = (target.cSettings ?? []) + [.treatAllWarnings(as: .error)]
    } else {
      target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    }
  }
}

// For `Scripts/explore`: only the core, in which the explorer replaces three files, and the explorer itself.
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
