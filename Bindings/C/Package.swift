// swift-tools-version: 6.3
import PackageDescription

// Packages depend on the product `OvermorrowC`. Programs that the package manager does not build link
// `OvermorrowCDynamic`, which contains everything that it needs.
let package = Package(
  name: "OvermorrowC",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "OvermorrowC", targets: ["OvermorrowC", "COvermorrow"]),
    .library(name: "OvermorrowCDynamic", type: .dynamic, targets: ["OvermorrowC"]),
  ],
  dependencies: [
    .package(name: "Overmorrow", path: "../..")
  ],
  targets: [
    .target(name: "COvermorrow"),
    .target(name: "OvermorrowC", dependencies: ["COvermorrow", .product(name: "Overmorrow", package: "Overmorrow")]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.name == "OvermorrowC" {
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
    if target.name == "COvermorrow" {
      target.cSettings = [.treatAllWarnings(as: .error)]
    } else {
      target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    }
  }
}
