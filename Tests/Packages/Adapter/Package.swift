// swift-tools-version: 6.2
import PackageDescription

// An adapter for a library that does not exist, outside of this repository: the sample of the page “Writing an adapter”.
let package = Package(
  name: "Vows",
  platforms: [.macOS(.v13)],
  products: [.library(name: "Vows", targets: ["Vows"])],
  dependencies: [.package(name: "Overmorrow", path: "../Overmorrow")],
  targets: [
    .target(
      name: "Vows", dependencies: [.product(name: "Overmorrow", package: "Overmorrow")],
      swiftSettings: [.swiftLanguageMode(.v6), .strictMemorySafety()]),
    .executableTarget(name: "Client", dependencies: ["Vows"], swiftSettings: [.swiftLanguageMode(.v5)]),
  ]
)
