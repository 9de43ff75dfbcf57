// swift-tools-version: 6.2
import PackageDescription

// The tests of the drop-in modules, and of the C interface, which the Objective-C classes of Tomorrowland stand on.
// `Scripts/test` runs them.
let package = Package(
  name: "DropInTests",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "Overmorrow", path: "../.."),
    .package(path: "../Foundation"),
    .package(path: "../FranticApparatus"),
    .package(path: "../PromiseKit"),
    .package(path: "../PromiseQ"),
    .package(path: "../ShallowPromises"),
    .package(path: "../Tomorrowland"),
  ],
  targets: [
    .target(name: "LoopbackServer"),
    .target(name: "TestSupport", dependencies: [.product(name: "Overmorrow", package: "Overmorrow")]),
    .testTarget(
      name: "DropInClientTests", dependencies: modules("FranticApparatus", "PromiseKit", "PromiseQ", "ShallowPromises")),
    .testTarget(name: "FranticApparatusTests", dependencies: modules("FranticApparatus")),
    .testTarget(
      name: "PMKFoundationTests",
      dependencies: modules("PromiseKit") + [
        "LoopbackServer", .product(name: "PMKFoundation", package: "Foundation"),
      ]),
    .testTarget(name: "PromiseKitTests", dependencies: modules("PromiseKit")),
    .testTarget(name: "PromiseQTests", dependencies: modules("PromiseQ") + ["LoopbackServer"]),
    .testTarget(name: "ShallowPromisesTests", dependencies: modules("ShallowPromises")),
    .testTarget(name: "TomorrowlandTests", dependencies: modules("Tomorrowland")),
  ],
  swiftLanguageModes: [.v6]
)

/// Returns what the tests of a drop-in module depend on.
func modules(_ dropIn: String...) -> [Target.Dependency] {
  ["TestSupport"] + dropIn.map { .product(name: $0, package: $0) } + [
    .product(name: "Overmorrow", package: "Overmorrow"), .product(name: "OvermorrowTesting", package: "Overmorrow"),
  ]
}

// The C interface needs Swift 6.3.
#if compiler(>=6.3)
  package.dependencies.append(.package(name: "OvermorrowC", path: "../../Bindings/C"))
  package.targets.append(
    .testTarget(
      name: "OvermorrowCTests", dependencies: modules() + [.product(name: "OvermorrowC", package: "OvermorrowC")]))
#endif

for target in package.targets {
  target.path = target.name
  // The helpers and some tests use internal counters of the core.
  target.swiftSettings =
    target.name == "TestSupport"
    ? ["Overmorrow", "OvermorrowDiagnostics", "OvermorrowEngine"].map {
      .unsafeFlags(["-Xfrontend", "-testable-import-module", "-Xfrontend", $0])
    } : []
  if ["DropInClientTests", "LoopbackServer", "OvermorrowCTests", "TestSupport"].contains(target.name) {
    target.swiftSettings? += [
      .strictMemorySafety(),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
  } else {
    // The clients of the drop-in modules are old code, and so are the tests of these modules.
    target.swiftSettings?.append(.swiftLanguageMode(.v5))
  }
}

// With this variable, `.ci/run` treats warnings as errors in each of its builds. Nothing else sets it.
if Context.environment["OVERMORROW_WARNINGS"] == "error" {
  for target in package.targets {
    target.swiftSettings? += [.treatAllWarnings(as: .error)]
  }
}
