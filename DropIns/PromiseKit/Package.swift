// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "PromiseKit",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [.library(name: "PromiseKit", targets: ["PromiseKit"])],
  traits: [
    .trait(name: "OpenCombine", description: "PromiseKit uses OpenCombine on platforms without Combine.")
  ],
  dependencies: [
    .package(name: "Overmorrow", path: "../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    .target(
      name: "PromiseKit",
      dependencies: [
        .product(name: "Overmorrow", package: "Overmorrow"),
        .product(name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
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
