// swift-tools-version: 6.2
import PackageDescription

// Async code with values that are not `Sendable`: one source in both language modes, with and without the main actor as
// default isolation. Each program is a link to the same file.
let modes: [(name: String, settings: [SwiftSetting])] = [
  ("Swift6", [.swiftLanguageMode(.v6)]),
  ("Swift6MainActor", [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)]),
  ("Swift5", [.swiftLanguageMode(.v5)]),
  ("Swift5MainActor", [.swiftLanguageMode(.v5), .defaultIsolation(MainActor.self)]),
]

let package = Package(
  name: "Structured",
  platforms: [.macOS(.v13)],
  dependencies: [.package(path: "../Overmorrow")],
  targets: modes.map { mode in
    .executableTarget(
      name: mode.name, dependencies: [.product(name: "OvermorrowFlow", package: "Overmorrow")],
      swiftSettings: mode.settings)
  }
)
