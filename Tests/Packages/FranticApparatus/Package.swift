// swift-tools-version: 6.0
import PackageDescription

// A program that was written for FranticApparatus. The move replaces one line of the manifest, and nothing else.
let package = Package(
  name: "FranticApparatusClient",
  platforms: [.macOS(.v13)],
  dependencies: [
    // Before: .package(url: "https://github.com/jkolb/FranticApparatus", from: "7.0.0"),
    .package(path: "../Overmorrow/DropIns/FranticApparatus")
  ],
  targets: [
    .executableTarget(
      name: "Swift5", dependencies: [.product(name: "FranticApparatus", package: "FranticApparatus")],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(name: "Swift6", dependencies: ["FranticApparatus"], swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
