// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Recipes",
  platforms: [.macOS(.v14), .iOS(.v17)],  // for Observation
  dependencies: [
    .package(name: "Overmorrow", path: "../..")
  ],
  targets: [
    .target(name: "CThermometer"),
    .target(
      name: "Recipes",
      dependencies: [
        "CThermometer",
        .product(name: "Overmorrow", package: "Overmorrow"),
        .product(name: "OvermorrowFoundation", package: "Overmorrow"),
      ]
    ),
    .testTarget(
      name: "RecipesTests",
      dependencies: [
        "Recipes",
        .product(name: "Overmorrow", package: "Overmorrow"),
        .product(name: "OvermorrowFoundation", package: "Overmorrow"),
        .product(name: "OvermorrowTesting", package: "Overmorrow"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "CThermometer" {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
  ]
}
