// swift-tools-version: 6.0
import PackageDescription

// An application that is moving from several old libraries to Overmorrow, file by file.
let modules = ["Tomorrowland", "FranticApparatus", "ShallowPromises", "PromiseKit", "PromiseQ"]

let package = Package(
  name: "SideBySide",
  platforms: [.macOS(.v13)],
  dependencies: [.package(path: "../Overmorrow")] + modules.map { .package(path: "../Overmorrow/DropIns/\($0)") },
  targets: [
    .executableTarget(
      name: "SideBySide",
      dependencies: [.product(name: "Overmorrow", package: "Overmorrow")]
        + modules.map { .product(name: $0, package: $0) },
      swiftSettings: [.swiftLanguageMode(.v5)])
  ]
)
