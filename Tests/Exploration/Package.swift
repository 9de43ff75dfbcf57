// swift-tools-version: 6.2
import PackageDescription

// Only the engine, in which the explorer replaces four files, the diagnostics, the core, in which it replaces Dispatch's semaphore, and
// the explorer itself. `Scripts/explore` and `Scripts/mutants` put this manifest beside the folders `Sources` and
// `Tests`.
let replaced = ["Atomic", "Guarded", "Lock", "Seam"].map { "Sources/OvermorrowEngine/Support/\($0).swift" }
let unsafe = ["-enable-testing", "-enforce-exclusivity=unchecked"]
let settings: [SwiftSetting] = [
  .unsafeFlags(unsafe),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Exploration",
  platforms: [.macOS(.v13)],
  targets: [
    .target(name: "COvermorrowSystem"),
    .target(
      name: "OvermorrowEngine",
      dependencies: ["COvermorrowSystem"],
      path: ".",
      exclude: replaced,
      sources: ["Sources/OvermorrowEngine", "Tests/Exploration/Seam"],
      swiftSettings: settings + [
        .enableExperimentalFeature("BuiltinModule"),
        .enableExperimentalFeature("RawLayout"),
      ]),
    .target(name: "OvermorrowDiagnostics", dependencies: ["OvermorrowEngine"], swiftSettings: settings),
    .target(
      name: "Overmorrow",
      dependencies: ["OvermorrowDiagnostics", "OvermorrowEngine"],
      path: ".",
      exclude: ["Sources/Overmorrow/Overmorrow.docc"],
      sources: ["Sources/Overmorrow", "Tests/Exploration/CoreSeam"],
      swiftSettings: settings),
    .target(name: "ExplorerContexts", path: "Tests/Exploration/Contexts"),
    .executableTarget(
      name: "explore",
      dependencies: ["ExplorerContexts", "Overmorrow", "OvermorrowDiagnostics", "OvermorrowEngine"],
      path: "Tests/Exploration/Explorer",
      swiftSettings: [.unsafeFlags(unsafe), .swiftLanguageMode(.v5)]),
  ],
  swiftLanguageModes: [.v6]
)
