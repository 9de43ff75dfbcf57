// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Overmorrow",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Overmorrow", targets: ["Overmorrow"]),
    .library(name: "OvermorrowTesting", targets: ["OvermorrowTesting"]),
    .library(name: "Tomorrowland", targets: ["Tomorrowland"]),
  ],
  targets: [
    .target(name: "Overmorrow"),
    .target(name: "OvermorrowTesting", dependencies: ["Overmorrow"]),
    .target(name: "Tomorrowland", dependencies: ["Overmorrow"], path: "Sources/DropIn/Tomorrowland"),
    .testTarget(name: "OvermorrowTests", dependencies: ["Overmorrow", "OvermorrowTesting"]),
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
