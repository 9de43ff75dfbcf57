#!/usr/bin/env bash
# FoundationNetworking of Swift 6.3.1, Linux: values of a response's header field are lost if the server spells the
# field's name in two ways, and chance decides which.
#
# The guess: names of header fields are case-insensitive, and `HTTPURLResponse` joins the values of a repeated field:
# `Cache-Control: a` and `Cache-Control: c` become "a, c". So three fields `Cache-Control: a`, `cache-control: b` and
# `Cache-Control: c` become "a, b, c".
#
# The behaviour: the values are joined by spelling, "a, c" and "b". Then one of the two strings is kept, in some runs of
# the same program "a, c", in others "b". `value(forHTTPHeaderField:)`, `allHeaderFields` and `URLSession` give no way
# to the other one.
#
# The damage: a proxy that adds a field in lower case, as HTTP/2 spells it, to the field of the server behind it makes one
# of the two disappear, such as a `Vary`, a `Link`, or the `no-store` of a `Cache-Control`. The fault shows in some runs
# only.
#
# Needs Swift 6.2 or later and Python 3. Fails if the behaviour changes.
set -euo pipefail

folder=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server"; rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/Spelling"

cat >"$folder/Package.swift" <<'PACKAGE'
// swift-tools-version: 6.1
import PackageDescription

let package = Package(name: "Spelling", targets: [.executableTarget(name: "Spelling")])
PACKAGE

cat >"$folder/Sources/Spelling/main.swift" <<'PROGRAM'
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

if let url = URL(string: "http://127.0.0.1:\(CommandLine.arguments[1])/") {
  let (_, response) = try await URLSession.shared.data(from: url)
  print((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Cache-Control") ?? "no value")
}
PROGRAM

cat >"$folder/server.py" <<'SERVER'
import http.server
import pathlib
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers with a field whose name is spelled in two ways."""

    def do_GET(self):
        self.send_response(200)
        for name, value in (("Cache-Control", "a"), ("cache-control", "b"), ("Cache-Control", "c"), ("Content-Length", "0")):
            self.send_header(name, value)
        self.end_headers()

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

program="$(swift build --package-path "$folder" --show-bin-path)/Spelling"
for _ in {1..20}; do "$program" "$(cat "$folder/port")"; done | sort | uniq -c | tee "$folder/seen"
while read -r _ value; do
  [[ $value == "a, c" || $value == "b" ]] || { echo "the behaviour has changed: “$value”"; exit 1; }
done <"$folder/seen"
