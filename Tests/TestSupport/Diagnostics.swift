internal import Foundation
package import Overmorrow
package import Testing

/// Listens to the diagnostics. The handler is global to the process, so only one probe listens at a time.
package enum DiagnosticsProbe {
  private static let turn = NSLock()

  /// Returns the diagnostics reported on this thread while `body` runs, without source locations, because only debug
  /// builds record those.
  ///
  /// Blocks while another probe listens, so call it on a thread that may block.
  package static func listen(to body: () -> Void) -> [PromiseDiagnostic] {
    turn.withLock {
      let (heard, thread) = (Recorder<PromiseDiagnostic>(), currentThread)
      PromiseDiagnostics.handler = { if currentThread == thread { heard.record($0.withoutPlace) } }
      defer { PromiseDiagnostics.handler = nil }
      body()
      return heard.entries
    }
  }
}

/// Returns the diagnostics reported while a closure runs on its own thread.
package func diagnostics(
  sourceLocation: SourceLocation = #_sourceLocation, of body: @escaping @Sendable () -> Void
) async throws -> [PromiseDiagnostic] {
  try await onOwnThread("diagnostics to be collected", sourceLocation: sourceLocation) {
    DiagnosticsProbe.listen(to: body)
  }
}

extension PromiseDiagnostic {
  package var withoutPlace: PromiseDiagnostic {
    switch self {
    case .resolvedWithItself: .resolvedWithItself()
    case .resolverDropped: .resolverDropped()
    case .resolvedTwice(_, let isRejection): .resolvedTwice(origin: nil, isRejection: isRejection)
    case .failureUnobserved(_, let error): .failureUnobserved(origin: nil, error: error)
    case .neverResolved: .neverResolved(origin: nil)
    case .leaked: .leaked(origin: nil)
    case .longWait(_, let cause): .longWait(origin: nil, waitsFor: cause)
    case .deadlock: .deadlock(origin: nil, cycle: [])
    case .longCallback(_, _, let queue, let duration): .longCallback(origin: nil, queue: queue, duration: duration)
    case .invalidArgument: self
    }
  }
}

/// Returns the diagnostics reported while `body` runs. Call this only in a process of its own, because the level and
/// the handler are global.
package func reports(_ body: () -> Void) -> [PromiseDiagnostic] {
  let heard = Recorder<PromiseDiagnostic>()
  PromiseDiagnostics.level = .report
  PromiseDiagnostics.handler = { heard.record($0) }
  body()
  PromiseDiagnostics.handler = nil
  return heard.entries
}

/// Whether a test may set the level, which the environment variable would override.
package let isLevelUnset = ProcessInfo.processInfo.environment["OVERMORROW_DIAGNOSTICS"] == nil

/// Returns the lines about mistakes that a process has printed.
package func ownLines(in output: [UInt8]) -> [String] {
  String(decoding: output, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("Overmorrow:") }.map {
    String($0)
  }
}
