// swift-tools-version: 6.0
import PackageDescription

// A program that was written for PromiseQ. The move replaces one line of the manifest, and nothing else.
let package = Package(
  name: "PromiseQClient",
  platforms: [.macOS(.v13)],
  dependencies: [
    // Before: .package(url: "https://github.com/ikhvorost/PromiseQ.git", from: "1.7.0"),
    .package(path: "../Overmorrow/DropIns/PromiseQ")
  ],
  targets: [
    .executableTarget(
      name: "Swift5", dependencies: [.product(name: "PromiseQ", package: "PromiseQ")],
      swiftSettings: [.swiftLanguageMode(.v5)])
  ]
)
