#!/usr/bin/env bash
# SwiftPM of Swift 6.3.1: if a dependency has two or more enabled traits, adding a file to the program often compiles the
# whole dependency again.
#
# The guess: an added file changes the target that contains it. The dependencies have the same files and the same options
# as before, so their compiled modules are used again, as they are without traits.
#
# The behaviour: the package manager passes each enabled trait to the compiler as a `-D` option. The order of these
# options is that of a set, which differs from run to run of the package manager. An added file makes the package
# manager write the commands of all targets anew. If the order is now another one, the command of the dependency has
# changed, and the dependency is compiled. With the two traits below, this happened in 4 of 10 builds. With
# `SWIFT_DETERMINISTIC_HASHING=1`, which gives sets the same order in each run, it happened in none.
#
# The damage: two traits of SwiftProtobuf 1.39.0 are enabled by default. So a client that names no traits compiles the 94
# files of SwiftProtobuf again, and the modules that import it. Such a build takes nearly as long as the first one, and no
# message names the reason.
#
# Needs Swift 6.2 or later and a network for the packages. Fails if the behaviour changes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/Client"

cat >"$folder/Package.swift" <<'PACKAGE'
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Client",
  dependencies: [.package(url: "https://github.com/apple/swift-protobuf", exact: "1.39.0")],
  targets: [
    .executableTarget(name: "Client", dependencies: [.product(name: "SwiftProtobuf", package: "swift-protobuf")])
  ]
)
PACKAGE
echo 'import SwiftProtobuf' >"$folder/Sources/Client/main.swift"

# Adds a file to the client, builds, and sets `compiled` to the number of files of the dependency that were compiled. Also
# prints the order of the options.
added=0
build() {
  added=$((added + 1))
  echo "let number$added = $added" >"$folder/Sources/Client/Number$added.swift"
  swift build --package-path "$folder" >"$folder/log"
  compiled=$(grep -c 'Compiling SwiftProtobuf ' "$folder/log" || true)
  order=$(grep -m1 FieldMaskUtilities "$folder/.build/debug.yaml" | grep -oE 'BinaryDelimitedStreams|FieldMaskUtilities' | xargs)
  echo "after file $added was added, $compiled files of SwiftProtobuf were compiled, for the traits $order"
}

swift build --package-path "$folder" >&2

# If the order changes in 4 of 10 builds, it stays the same in all of these builds with a chance of 1 in 27,000.
for _ in {1..20}; do
  build
  ((compiled == 0)) || break
done
((compiled > 0)) || { echo "the behaviour has changed: an added file compiles no file of the dependency"; exit 1; }

export SWIFT_DETERMINISTIC_HASHING=1
echo "with SWIFT_DETERMINISTIC_HASHING=1:"
# The order of the first build may differ from that of the builds before.
build
for _ in {1..8}; do
  build
  ((compiled == 0)) || { echo "the behaviour has changed: the order is not the same in each build"; exit 1; }
done
