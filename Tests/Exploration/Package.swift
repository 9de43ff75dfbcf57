// swift-tools-version: 6.2
import PackageDescription

// Only the core, in which the explorer replaces three files, and the explorer itself. `Scripts/explore` and
// `Scripts/mutants` put this manifest beside the folders `Sources` and `Tests`.
let replaced = ["Support/Atomic", "Support/Guarded", "Support/Seam"].map { "Sources/Overmorrow/\($0).swift" }
let settings: [SwiftSetting] = [.unsafeFlags(["-enable-testing", "-enforce-exclusivity=unchecked"])]

let package = Package(
  name: "Exploration",
  platforms: [.macOS(.v13)],
  targets: [
    .target(name: "COvermorrowSystem"),
    .target(
      name: "Overmorrow",
      dependencies: ["COvermorrowSystem"],
      path: ".",
      exclude: replaced + ["Sources/Overmorrow/Overmorrow.docc"],
      sources: ["Sources/Overmorrow", "Tests/Exploration/Seam"],
      swiftSettings: settings + [
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableExperimentalFeature("BuiltinModule"),
        .enableExperimentalFeature("RawLayout"),
      ]),
    .target(name: "ExplorerContexts", path: "Tests/Exploration/Contexts"),
    .executableTarget(
      name: "explore", dependencies: ["ExplorerContexts", "Overmorrow"], path: "Tests/Exploration/Explorer",
      swiftSettings: settings + [.swiftLanguageMode(.v5)]),
  ],
  swiftLanguageModes: [.v6]
)
