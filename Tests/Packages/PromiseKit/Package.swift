// swift-tools-version: 6.0
import PackageDescription

// A program that was written for PromiseKit and its extension package PMKFoundation. The move replaces the two lines of
// dependencies, and nothing else.
let package = Package(
  name: "PromiseKitClient",
  platforms: [.macOS(.v13)],
  dependencies: [
    // Before: .package(url: "https://github.com/mxcl/PromiseKit", from: "8.2.0"),
    .package(path: "../Overmorrow/DropIns/PromiseKit"),
    // Before: .package(url: "https://github.com/PromiseKit/Foundation.git", from: "3.4.0"),
    .package(path: "../Overmorrow/DropIns/Foundation"),
    // For the program that has moved on.
    .package(path: "../Overmorrow"),
  ],
  targets: [
    .executableTarget(
      name: "Swift5",
      dependencies: [
        .product(name: "PMKFoundation", package: "Foundation"),
        .product(name: "PromiseKit", package: "PromiseKit"),
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "Swift6", dependencies: ["PromiseKit", .product(name: "PMKFoundation", package: "Foundation")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    // The same program with Overmorrow's promises, as shown in the guide.
    .executableTarget(
      name: "Moved", dependencies: [.product(name: "Overmorrow", package: "Overmorrow")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
