// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "EventLoops",
  platforms: [.macOS(.v13)],
  products: [
    .library(name: "EventLoops", targets: ["EventLoops"])
  ],
  dependencies: [
    .package(name: "Overmorrow", path: "../.."),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    // Promises on event loops, and both ways between promises and futures.
    .target(
      name: "EventLoops",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "Overmorrow", package: "Overmorrow"),
      ]
    ),
    .testTarget(
      name: "EventLoopsTests",
      dependencies: [
        "EventLoops",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "Overmorrow", package: "Overmorrow"),
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
}
