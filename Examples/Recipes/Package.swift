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
        .product(name: "OvermorrowFlow", package: "Overmorrow"),
        .product(name: "OvermorrowFoundation", package: "Overmorrow"),
        .product(name: "OvermorrowObservation", package: "Overmorrow"),
      ]
    ),
    .testTarget(
      name: "RecipesTests",
      dependencies: [
        "Recipes",
        .product(name: "Overmorrow", package: "Overmorrow"),
        .product(name: "OvermorrowFlow", package: "Overmorrow"),
        .product(name: "OvermorrowFoundation", package: "Overmorrow"),
        .product(name: "OvermorrowObservation", package: "Overmorrow"),
        .product(name: "OvermorrowTesting", package: "Overmorrow"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// The steps of the tutorial before the last one, which is the recipe itself. `Scripts/documentation` copies the
// tutorial's code from here.
for step in 1...2 {
  package.targets.append(
    .target(
      name: "SearchStep\(step)",
      dependencies: [
        .product(name: "Overmorrow", package: "Overmorrow"),
        .product(name: "OvermorrowObservation", package: "Overmorrow"),
      ]))
}

for target in package.targets where target.name != "CThermometer" {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
  ]
  if Context.environment["OVERMORROW_WARNINGS"] == "error" {
    target.swiftSettings?.append(.treatAllWarnings(as: .error))
  }
}
