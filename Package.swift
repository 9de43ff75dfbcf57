// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Overmorrow",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Overmorrow", targets: ["Overmorrow"]),
    .library(name: "OvermorrowFoundation", targets: ["OvermorrowFoundation"]),
    .library(name: "OvermorrowTesting", targets: ["OvermorrowTesting"]),
  ],
  targets: [
    .target(name: "Overmorrow"),
    .target(name: "OvermorrowFoundation", dependencies: ["Overmorrow"]),
    .target(name: "OvermorrowTesting", dependencies: ["Overmorrow"]),
    .testTarget(name: "OvermorrowTests", dependencies: ["Overmorrow", "OvermorrowTesting"]),
    .testTarget(
      name: "OvermorrowFoundationTests", dependencies: ["Overmorrow", "OvermorrowFoundation", "OvermorrowTesting"]),
    .testTarget(name: "OvermorrowTestingTests", dependencies: ["Overmorrow", "OvermorrowTesting"]),
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
