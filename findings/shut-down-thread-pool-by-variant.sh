#!/usr/bin/env bash
# SwiftNIO 2.101.2: after the shutdown of a thread pool, the async function throws `CancellationError`, and the function
# with a future gives another error.
#
# The guess: the async function `NIOThreadPool.runIfActive(_:)` runs a closure if the pool is active, and throws an error
# if the pool was shut down. The function `runIfActive(eventLoop:_:)` does the same with a future, and its error is
# `NIOThreadPoolError.ThreadPoolInactive`. So the async function throws `ThreadPoolInactive`, too.
#
# The behaviour: the async function throws `CancellationError`, although no task is cancelled. The same happens to a
# closure that waits for a thread when the pool is shut down.
#
# The damage: programs take `CancellationError` for the answer to a cancellation of their own. They neither show it nor
# log it nor try again. A server that shuts its pool down too early loses work, such as the last write to a file, and no
# log shows it. The same code with futures gives an error that names the cause.
#
# Needs Swift 6.2 or later and a network for the packages. Fails if the behaviour changes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/Inactive"

cat >"$folder/Package.swift" <<'PACKAGE'
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Inactive",
  platforms: [.macOS(.v13)],
  dependencies: [.package(url: "https://github.com/apple/swift-nio", exact: "2.101.2")],
  targets: [
    .executableTarget(
      name: "Inactive",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
      ])
  ]
)
PACKAGE

cat >"$folder/Sources/Inactive/main.swift" <<'PROGRAM'
import NIOCore
import NIOPosix

/// Prints the error of an operation, and whether the current task is cancelled.
nonisolated func report(_ name: String, _ operation: @Sendable () async throws -> Void) async {
  do {
    try await operation()
    print("\(name): no error")
  } catch {
    print("\(name): \(type(of: error)), task cancelled: \(Task.isCancelled)")
  }
}

let pool = NIOThreadPool(numberOfThreads: 1)
pool.start()
try await pool.shutdownGracefully()
await report("async") { try await pool.runIfActive {} }
await report("future") { try await pool.runIfActive(eventLoop: MultiThreadedEventLoopGroup.singleton.next()) {}.get() }
PROGRAM

swift build --package-path "$folder" >&2
seen=$("$(swift build --package-path "$folder" --show-bin-path)/Inactive")
expected="async: CancellationError, task cancelled: false
future: ThreadPoolInactive, task cancelled: false"
echo "$seen"
[[ $seen == "$expected" ]] || { echo "the behaviour has changed; expected:"; echo "$expected"; exit 1; }
