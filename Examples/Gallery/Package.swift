// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Gallery",
  // Overmorrow supports earlier systems, but the gallery uses the locks of the standard library (`Synchronization`).
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "gallery", targets: ["gallery"])
  ],
  dependencies: [
    .package(name: "Overmorrow", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swhitty/FlyingFox", .upToNextMinor(from: "0.27.1")),
  ],
  targets: [
    // The command line: options, signals, exit status.
    .executableTarget(
      name: "gallery",
      dependencies: [
        "DemoServer",
        "GalleryKit",
        "GalleryPage",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Overmorrow", package: "Overmorrow"),
        .product(name: "OvermorrowTracing", package: "Overmorrow"),
      ]
    ),
    // The work itself, written with promises.
    .target(
      name: "GalleryKit",
      dependencies: [
        .product(name: "Overmorrow", package: "Overmorrow"),
        .product(name: "OvermorrowFlow", package: "Overmorrow"),
        .product(name: "OvermorrowFoundation", package: "Overmorrow"),
      ]
    ),
    // The page of --serve and its server.
    .target(
      name: "GalleryPage",
      dependencies: [
        "DemoServer",
        "GalleryKit",
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
        .product(name: "Overmorrow", package: "Overmorrow"),
        .product(name: "OvermorrowFlow", package: "Overmorrow"),
        .product(name: "OvermorrowTracing", package: "Overmorrow"),
      ],
      resources: [.embedInCode("page.html")]
    ),
    // The server that is used when no --url is given, and the pictures that it draws.
    .target(
      name: "DemoServer",
      dependencies: [
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
        .product(name: "Overmorrow", package: "Overmorrow"),
      ]
    ),
    // Code that the tests share.
    .target(
      name: "TestSupport",
      dependencies: [.product(name: "Overmorrow", package: "Overmorrow")],
      path: "Tests/TestSupport"
    ),
    .testTarget(
      name: "DemoServerTests",
      dependencies: ["DemoServer", "TestSupport", .product(name: "Overmorrow", package: "Overmorrow")]
    ),
    .testTarget(
      name: "GalleryKitTests",
      dependencies: [
        "DemoServer",
        "GalleryKit",
        "TestSupport",
        .product(name: "Overmorrow", package: "Overmorrow"),
        .product(name: "OvermorrowFlow", package: "Overmorrow"),
        .product(name: "OvermorrowFoundation", package: "Overmorrow"),
      ]
    ),
    .testTarget(
      name: "GalleryTests",
      dependencies: [
        "gallery",
        "GalleryKit",
        "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Overmorrow", package: "Overmorrow"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .strictMemorySafety(),
    ]
}
