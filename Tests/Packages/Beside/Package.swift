// swift-tools-version: 6.0
import PackageDescription

// An application with Overmorrow and with the libraries whose names the drop-in packages have. `Originals` stands for
// these libraries. The package manager refuses a graph in which two packages declare targets of the same name, so
// Overmorrow's root package must declare none of these names.
let originals = ["FranticApparatus", "PromiseKit", "PromiseQ", "ShallowPromises", "Tomorrowland"]

let package = Package(
  name: "Beside",
  platforms: [.macOS(.v13)],
  dependencies: [.package(path: "../Overmorrow"), .package(path: "Originals")],
  targets: [
    .executableTarget(
      name: "Beside",
      dependencies: [.product(name: "Overmorrow", package: "Overmorrow")]
        + originals.map { .product(name: $0, package: "Originals") })
  ]
)
