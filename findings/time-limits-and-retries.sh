#!/usr/bin/env bash
# grpc-swift-2 2.4.3: the time limit of a call does not end the delay before its next attempt, even if the server
# chooses this delay.
#
# The guess: `CallOptions.timeout` limits the whole call with all of its attempts, as the deadline of gRPC does in other
# languages. So a call with a limit of 200 ms fails with `deadlineExceeded` after 200 ms, whatever its policy for
# retries.
#
# The behaviour: the call fails with `deadlineExceeded`, but only when the delay has passed. No further attempt is made.
# The delay is either the backoff of the policy, or the time that the server sends in `grpc-retry-pushback-ms`.
#
# The damage: with a server that is overloaded and asks its clients to wait, callers with a short limit wait as long as
# the server says. Their own callers run into their limits, and requests, memory and turns of limiters pile up, in the
# very situation for which the limit was made.
#
# Needs Swift 6.2 or later and a network for the packages. Fails if the behaviour changes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/Limited"

cat >"$folder/Package.swift" <<'PACKAGE'
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Limited",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "https://github.com/grpc/grpc-swift-2", exact: "2.4.3")],
  targets: [
    .executableTarget(
      name: "Limited",
      dependencies: [
        .product(name: "GRPCCore", package: "grpc-swift-2"),
        .product(name: "GRPCInProcessTransport", package: "grpc-swift-2"),
      ])
  ]
)
PACKAGE

cat >"$folder/Sources/Limited/main.swift" <<'PROGRAM'
import GRPCCore
import GRPCInProcessTransport

/// Passes bytes on unchanged.
struct Bytes: MessageSerializer, MessageDeserializer {
  func serialize<Contents: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Contents { Contents(message) }
  func deserialize<Contents: GRPCContiguousBytes>(_ contents: Contents) throws -> [UInt8] {
    contents.withUnsafeBytes { Array($0) }
  }
}

let method = MethodDescriptor(service: ServiceDescriptor(fullyQualifiedService: "shop"), method: "order")

/// Is unavailable, and asks clients to wait for 1.5 seconds.
struct Busy: RegistrableRPCService {
  func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    router.registerHandler(forMethod: method, deserializer: Bytes(), serializer: Bytes()) { _, _ in
      throw RPCError(code: .unavailable, message: "busy", metadata: ["grpc-retry-pushback-ms": "1500"])
    }
  }
}

let policy = RetryPolicy(
  maxAttempts: 3, initialBackoff: .milliseconds(10), maxBackoff: .milliseconds(10), backoffMultiplier: 1,
  retryableStatusCodes: [.unavailable])
let transport = InProcessTransport(
  serviceConfig: ServiceConfig(
    methodConfig: [MethodConfig(names: [.init(service: "shop")], executionPolicy: .retry(policy))]))

try await withGRPCServer(transport: transport.server, services: [Busy()]) { _ in
  try await withGRPCClient(transport: transport.client) { client in
    var options = CallOptions.defaults
    options.timeout = .milliseconds(200)
    let start = ContinuousClock.now
    do {
      _ = try await client.unary(
        request: ClientRequest(message: [0]), descriptor: method, serializer: Bytes(), deserializer: Bytes(),
        options: options
      ) { try $0.message }
      print("no error")
    } catch let error as RPCError {
      print(error.code, ContinuousClock.now - start < .seconds(1) ? "within 1 s" : "after more than 1 s")
    }
  }
}
PROGRAM

swift build --package-path "$folder" >&2
seen=$("$(swift build --package-path "$folder" --show-bin-path)/Limited")
expected="deadlineExceeded after more than 1 s"
echo "$seen"
[[ $seen == "$expected" ]] || { echo "the behaviour has changed; expected:"; echo "$expected"; exit 1; }
