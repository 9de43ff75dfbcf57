// swift-tools-version: 5.5
import PackageDescription

// Stands for an extension package, in the manner of PromiseKit's own.
let package = Package(
  name: "PMKNotifications",
  platforms: [.macOS("13.0")],
  products: [.library(name: "PMKNotifications", targets: ["PMKNotifications"])],
  dependencies: [.package(url: "https://github.com/mxcl/PromiseKit", from: "8.0.0")],
  targets: [.target(name: "PMKNotifications", dependencies: ["PromiseKit"], path: "Sources")]
)
