// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "overmorrow-benchmarks",
  // Newer than what Overmorrow needs, for the mutex that it is compared with.
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "overmorrow-benchmarks", targets: ["OvermorrowBenchmarks"])
  ],
  dependencies: [
    .package(name: "Overmorrow", path: ".."),
    .package(path: "../DropIns/PromiseKit"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    .executableTarget(
      name: "OvermorrowBenchmarks",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "Overmorrow", package: "Overmorrow"),
        .product(name: "OvermorrowFlow", package: "Overmorrow"),
        .product(name: "PromiseKit", package: "PromiseKit"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]
    )
  ],
  // The mode of the code that the PromiseKit rows stand for. The costs of the other rows are the same in both modes.
  swiftLanguageModes: [.v5]
)

// The C interface is there where the compiler can declare it.
#if compiler(>=6.3)
  package.dependencies.append(.package(name: "OvermorrowC", path: "../Bindings/C"))
  for target in package.targets {
    target.dependencies.append(.product(name: "OvermorrowC", package: "OvermorrowC"))
  }
#endif
