// swift-tools-version: 6.0
import PackageDescription

// A program that was written for Tomorrowland. The move replaces one line of the manifest, and nothing else.
let package = Package(
  name: "TomorrowlandClient",
  platforms: [.macOS(.v13)],
  dependencies: [
    // Before: .package(url: "https://github.com/lilyball/Tomorrowland", from: "1.4.0"),
    .package(path: "../Overmorrow/DropIns/Tomorrowland")
  ],
  targets: [
    .executableTarget(
      name: "Swift5", dependencies: [.product(name: "Tomorrowland", package: "Tomorrowland")],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(name: "Swift6", dependencies: ["Tomorrowland"], swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
