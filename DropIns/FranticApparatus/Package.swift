// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FranticApparatus",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [.library(name: "FranticApparatus", targets: ["FranticApparatus"])],
  dependencies: [
    .package(name: "Overmorrow", path: "../..")
  ],
  targets: [
    .target(name: "FranticApparatus", dependencies: [.product(name: "Overmorrow", package: "Overmorrow")])
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
