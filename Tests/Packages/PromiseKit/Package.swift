// swift-tools-version: 6.0
import PackageDescription

// What a user of PromiseKit has to change is the dependency below, and nothing in the sources.
let overmorrow: [Target.Dependency] = [.product(name: "PromiseKit", package: "Overmorrow")]
let dependencies: [Package.Dependency] = [.package(name: "Overmorrow", path: "../Overmorrow")]

let package = Package(
  name: "PromiseKitClient",
  platforms: [.macOS(.v13)],
  dependencies: dependencies,
  targets: [
    .executableTarget(name: "Swift5", dependencies: overmorrow, swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(name: "Swift6", dependencies: overmorrow, swiftSettings: [.swiftLanguageMode(.v6)]),
    // The same program with Overmorrow's own promises, as the guide shows it.
    .executableTarget(
      name: "Moved", dependencies: [.product(name: "Overmorrow", package: "Overmorrow")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
