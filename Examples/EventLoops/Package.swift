// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "EventLoops",
  platforms: [.macOS(.v13)],
  dependencies: [
    // The trait enables the module OvermorrowNIO and its dependency SwiftNIO.
    .package(name: "Overmorrow", path: "../..", traits: ["SwiftNIO"]),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    .executableTarget(
      name: "EventLoops",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "Overmorrow", package: "Overmorrow"),
        .product(name: "OvermorrowNIO", package: "Overmorrow"),
      ]
    ),
    .testTarget(name: "EventLoopsTests", dependencies: ["EventLoops"]),
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
}
