// swift-tools-version: 6.0
import PackageDescription

// An application that is moving from several old libraries to Overmorrow, file by file.
let modules = ["Overmorrow", "Tomorrowland", "FranticApparatus", "ShallowPromises", "PromiseKit", "PromiseQ"]

let package = Package(
  name: "SideBySide",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "Overmorrow", path: "../Overmorrow")],
  targets: [
    .executableTarget(
      name: "SideBySide", dependencies: modules.map { .product(name: $0, package: "Overmorrow") },
      swiftSettings: [.swiftLanguageMode(.v5)])
  ]
)
