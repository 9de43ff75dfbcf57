// swift-tools-version: 6.0
import PackageDescription

// A program that was written for ShallowPromises. The move replaces one line of the manifest, and nothing else.
let package = Package(
  name: "ShallowPromisesClient",
  platforms: [.macOS(.v13)],
  dependencies: [
    // Before: .package(url: "https://github.com/JuanjoArreola/ShallowPromises", from: "0.7.0"),
    .package(path: "../Overmorrow/DropIns/ShallowPromises")
  ],
  targets: [
    .executableTarget(
      name: "Swift5", dependencies: [.product(name: "ShallowPromises", package: "ShallowPromises")],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(name: "Swift6", dependencies: ["ShallowPromises"], swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
