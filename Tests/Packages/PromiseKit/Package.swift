// swift-tools-version: 6.0
import PackageDescription

// A user of PromiseKit only has to change the dependency below, not the sources.
let overmorrow = ["PMKFoundation", "PromiseKit"].map { Target.Dependency.product(name: $0, package: "Overmorrow") }
let dependencies: [Package.Dependency] = [.package(name: "Overmorrow", path: "../Overmorrow")]

let package = Package(
  name: "PromiseKitClient",
  platforms: [.macOS(.v13)],
  dependencies: dependencies,
  targets: [
    .executableTarget(name: "Swift5", dependencies: overmorrow, swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(name: "Swift6", dependencies: overmorrow, swiftSettings: [.swiftLanguageMode(.v6)]),
    // The same program with Overmorrow's promises, as shown in the guide.
    .executableTarget(
      name: "Moved", dependencies: [.product(name: "Overmorrow", package: "Overmorrow")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
