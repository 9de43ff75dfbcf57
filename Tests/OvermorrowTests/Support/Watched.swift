import Foundation
import Overmorrow

/// What the handler is told of the promises that `body` makes, in a process that is all its own.
func reports(_ body: () -> Void) -> [PromiseDiagnostic] {
  let heard = Recorder<PromiseDiagnostic>()
  PromiseDiagnostics.level = .report
  PromiseDiagnostics.handler = { heard.record($0) }
  body()
  PromiseDiagnostics.handler = nil
  return heard.entries
}

/// Whether the level is for a test to set: the environment would come before it.
let nothingIsSet = ProcessInfo.processInfo.environment["OVERMORROW_DIAGNOSTICS"] == nil

/// What a process has printed of mistakes.
func ownLines(in output: [UInt8]) -> [String] {
  String(decoding: output, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("Overmorrow:") }.map {
    String($0)
  }
}
