// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Tomorrowland",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [.library(name: "Tomorrowland", targets: ["Tomorrowland"])],
  dependencies: [
    .package(name: "Overmorrow", path: "../..")
  ],
  targets: [
    .target(
      name: "Tomorrowland",
      dependencies: [
        "TomorrowlandBase",
        .product(name: "Overmorrow", package: "Overmorrow"),
        .product(name: "OvermorrowFoundation", package: "Overmorrow"),
      ]),
    .target(
      name: "TomorrowlandBase",
      dependencies: [
        .product(name: "Overmorrow", package: "Overmorrow"),
        .product(name: "OvermorrowFoundation", package: "Overmorrow"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// With Apple's Foundation, `import Tomorrowland` also imports its Objective-C classes. They stand on the C interface,
// which needs Swift 6.3. On other platforms the files of these classes are empty, and nothing depends on them;
// `Scripts/objective-c` builds them with GNUstep.
#if compiler(>=6.3)
  let apple = TargetDependencyCondition.when(platforms: [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS])
  package.dependencies.append(.package(name: "OvermorrowC", path: "../../Bindings/C"))
  package.targets.append(
    .target(name: "OvermorrowObjC", dependencies: [.product(name: "OvermorrowC", package: "OvermorrowC")]))
  for target in package.targets where target.name == "Tomorrowland" {
    target.dependencies += [
      .target(name: "OvermorrowObjC", condition: apple),
      .product(name: "OvermorrowC", package: "OvermorrowC", condition: apple),
    ]
  }
#endif

for target in package.targets where target.name != "OvermorrowObjC" {
  target.swiftSettings = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}

// With this variable, `.ci/run` treats warnings as errors in each of its builds. Nothing else sets it.
if Context.environment["OVERMORROW_WARNINGS"] == "error" {
  for target in package.targets where target.name != "OvermorrowObjC" {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
  }
}
