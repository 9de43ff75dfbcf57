// swift-tools-version: 6.2
import PackageDescription

// The name of the folder is the name of the original's repository, PromiseKit/Foundation.
let package = Package(
  name: "PMKFoundation",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [.library(name: "PMKFoundation", targets: ["PMKFoundation"])],
  dependencies: [
    .package(name: "Overmorrow", path: "../.."),
    .package(path: "../PromiseKit"),
  ],
  targets: [
    .target(
      name: "PMKFoundation",
      dependencies: [
        .product(name: "Overmorrow", package: "Overmorrow"),
        .product(name: "OvermorrowFoundation", package: "Overmorrow"),
        .product(name: "PromiseKit", package: "PromiseKit"),
      ])
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}

// With this variable, `.ci/run` treats warnings as errors in each of its builds. Nothing else sets it.
if Context.environment["OVERMORROW_WARNINGS"] == "error" {
  for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
  }
}
