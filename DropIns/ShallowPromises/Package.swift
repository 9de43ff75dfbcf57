// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ShallowPromises",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [.library(name: "ShallowPromises", targets: ["ShallowPromises"])],
  dependencies: [
    .package(name: "Overmorrow", path: "../..")
  ],
  targets: [
    .target(name: "ShallowPromises", dependencies: [.product(name: "Overmorrow", package: "Overmorrow")])
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

// The promise of this module can be subclassed. If it were `Sendable`, each subclass would cause a warning. As it is
// not `Sendable`, clients would get a warning wherever they pass it to a queue, unless the module is in the Swift 5
// mode, as they are.
package.swiftLanguageModes = [.v5]

// With this variable, `.ci/run` treats warnings as errors in each of its builds. Nothing else sets it.
if Context.environment["OVERMORROW_WARNINGS"] == "error" {
  for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
  }
}
