// swift-tools-version: 6.0
import PackageDescription

// A user of ShallowPromises only has to change the dependency below, not the sources.
let overmorrow: [Target.Dependency] = [.product(name: "ShallowPromises", package: "Overmorrow")]
let dependencies: [Package.Dependency] = [.package(name: "Overmorrow", path: "../Overmorrow")]

let package = Package(
  name: "ShallowPromisesClient",
  platforms: [.macOS(.v13)],
  dependencies: dependencies,
  targets: [
    .executableTarget(name: "Swift5", dependencies: overmorrow, swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(name: "Swift6", dependencies: overmorrow, swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
