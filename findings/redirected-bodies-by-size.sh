#!/usr/bin/env bash
# AsyncHTTPClient 1.37.0: whether a redirection sends a body in memory again depends on the size of the body.
#
# The guess: `HTTPClientRequest.Body.bytes(_:)` takes a collection in memory, which can be read as often as needed. Its
# documentation recommends it over `bytes(_:length:)` because only the latter "does not assume that the body can be
# replayed". So a `PUT` of a collection that is answered with 307 is sent again to the new address.
#
# The behaviour: a collection of up to 4 MiB is sent again. A collection with one byte more is not: the caller receives
# the response 307, whose body is that of the redirection, as if the client followed no redirections. A `ByteBuffer` of
# the same size is sent again. The client turns a larger collection into a stream, so that less memory is needed, and
# takes each stream for one that can be read once.
#
# The damage: uploads to a service that redirects to its storage work in tests with small files, and fail with the first
# large one. No error is thrown. Code that checks only for errors takes the upload for done.
#
# Needs Swift 6.2 or later, Python 3 and a network for the packages. Fails if the behaviour changes.
set -euo pipefail

folder=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server"; rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/Redirected"

cat >"$folder/Package.swift" <<'PACKAGE'
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Redirected",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0")
  ],
  targets: [
    .executableTarget(
      name: "Redirected", dependencies: [.product(name: "AsyncHTTPClient", package: "async-http-client")])
  ]
)
PACKAGE

cat >"$folder/Sources/Redirected/main.swift" <<'PROGRAM'
import AsyncHTTPClient
import NIOCore

/// Sends a body to an address that redirects with 307, and returns the status and the body of the response.
func put(_ body: HTTPClientRequest.Body) async throws -> String {
  var request = HTTPClientRequest(url: "http://127.0.0.1:\(CommandLine.arguments[1])/old")
  request.method = .PUT
  request.body = body
  let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
  return "\(response.status.code) \(String(buffer: try await response.body.collect(upTo: 1 << 20)))"
}

let limit = 4 << 20
print("\(limit) bytes in an array: \(try await put(.bytes([UInt8](repeating: 0, count: limit))))")
print("\(limit + 1) bytes in an array: \(try await put(.bytes([UInt8](repeating: 0, count: limit + 1))))")
print("\(limit + 1) bytes in a buffer: \(try await put(.bytes(ByteBuffer(repeating: 0, count: limit + 1))))")
PROGRAM

cat >"$folder/server.py" <<'SERVER'
import http.server
import pathlib
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    """Redirects /old to /new, which answers with the number of bytes received."""

    def do_PUT(self):
        received = len(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/old":
            self.answer(307, "moved", ("Location", "/new"))
        else:
            self.answer(200, f"received {received} bytes")

    def answer(self, status, text, *fields):
        self.send_response(status)
        for name, value in (*fields, ("Content-Length", str(len(text)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
pathlib.Path(sys.argv[1]).write_text(str(server.server_port))
server.serve_forever()
SERVER

swift build --package-path "$folder" >&2
python3 "$folder/server.py" "$folder/port" &
server=$!
for _ in {1..100}; do [[ -s $folder/port ]] && break || sleep 0.1; done

seen=$("$(swift build --package-path "$folder" --show-bin-path)/Redirected" "$(cat "$folder/port")")
expected="4194304 bytes in an array: 200 received 4194304 bytes
4194305 bytes in an array: 307 moved
4194305 bytes in a buffer: 200 received 4194305 bytes"
echo "$seen"
[[ $seen == "$expected" ]] || { echo "the behaviour has changed; expected:"; echo "$expected"; exit 1; }
