// Every suite says when it runs: see `Turns`.
@_exported import TestSupport
