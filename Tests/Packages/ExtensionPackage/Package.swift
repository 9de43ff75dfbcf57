// swift-tools-version: 6.0
import PackageDescription

// An application that uses PromiseKit and an extension package for it. The extension depends on the original by its
// address. The line with our folder replaces the original in the extension, too, because the folder has the name of the
// original's repository.
let package = Package(
  name: "ExtensionPackage",
  platforms: [.macOS(.v13)],
  dependencies: [
    // Before: .package(url: "https://github.com/mxcl/PromiseKit", from: "8.0.0"),
    .package(path: "../Overmorrow/DropIns/PromiseKit"),
    .package(path: "PMKNotifications"),
  ],
  targets: [
    .executableTarget(
      name: "Client", dependencies: ["PromiseKit", "PMKNotifications"], swiftSettings: [.swiftLanguageMode(.v5)])
  ]
)
