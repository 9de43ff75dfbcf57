// swift-tools-version: 6.2
import PackageDescription

// Tests the bridges to other packages with all traits: `.ci/steps/81-integrations`. This is a separate package, so that
// the tests of the library itself download nothing.
let package = Package(
  name: "Integrations",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(
      name: "Overmorrow", path: "../..",
      traits: ["AsyncHTTPClient", "Logging", "Metrics", "OpenCombine", "ServiceLifecycle", "SwiftNIO"]),
    .package(path: "../../DropIns/PromiseKit", traits: ["OpenCombine"]),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .target(name: "LoopbackServer"),
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "LoopbackServer",
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Instrumentation", package: "swift-distributed-tracing"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "Overmorrow", package: "Overmorrow"),
        .product(name: "OvermorrowAsyncHTTPClient", package: "Overmorrow"),
        .product(name: "OvermorrowCombine", package: "Overmorrow"),
        .product(name: "OvermorrowFlow", package: "Overmorrow"),
        .product(name: "OvermorrowFoundation", package: "Overmorrow"),
        .product(name: "OvermorrowLogging", package: "Overmorrow"),
        .product(name: "OvermorrowMetrics", package: "Overmorrow"),
        .product(name: "OvermorrowNIO", package: "Overmorrow"),
        .product(name: "OvermorrowServiceLifecycle", package: "Overmorrow"),
        .product(name: "OvermorrowTesting", package: "Overmorrow"),
        .product(name: "PromiseKit", package: "PromiseKit"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
  ]
}
