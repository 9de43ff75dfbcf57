// swift-tools-version: 6.0
import PackageDescription

let modules = ["FranticApparatus", "PromiseKit", "PromiseQ", "ShallowPromises", "Tomorrowland"]

let package = Package(
  name: "Originals",
  platforms: [.macOS(.v13)],
  products: modules.map { .library(name: $0, targets: [$0]) },
  targets: modules.map { .target(name: $0) }
)
