// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Server",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "Overmorrow", path: "../.."),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
  ],
  targets: [
    .executableTarget(
      name: "Server",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Overmorrow", package: "Overmorrow"),
        .product(name: "OvermorrowFlow", package: "Overmorrow"),
        .product(name: "OvermorrowFoundation", package: "Overmorrow"),
      ]
    ),
    .testTarget(
      name: "ServerTests",
      dependencies: [
        "Server",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "Overmorrow", package: "Overmorrow"),
        .product(name: "OvermorrowFoundation", package: "Overmorrow"),
        .product(name: "OvermorrowTesting", package: "Overmorrow"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
  ]
  if Context.environment["OVERMORROW_WARNINGS"] == "error" {
    target.swiftSettings?.append(.treatAllWarnings(as: .error))
  }
}
