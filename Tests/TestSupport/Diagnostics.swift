internal import Foundation
package import Overmorrow
package import Testing

/// Listens to the diagnostics. The handler is one for the whole process, so only one probe listens at a time.
package enum DiagnosticsProbe {
  private static let turn = NSLock()

  /// What is reported on this thread while `body` runs, without the places: those are known in debug builds only.
  ///
  /// Blocks while another probe listens, so it must be called on a thread that may block.
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

/// What is reported while a closure runs, on a thread that may block.
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
    case .invalidArgument: self
    }
  }
}

/// What the handler is told of the promises that `body` makes, in a process that is all its own.
package func reports(_ body: () -> Void) -> [PromiseDiagnostic] {
  let heard = Recorder<PromiseDiagnostic>()
  PromiseDiagnostics.level = .report
  PromiseDiagnostics.handler = { heard.record($0) }
  body()
  PromiseDiagnostics.handler = nil
  return heard.entries
}

/// Whether the level is for a test to set: the environment would come before it.
package let nothingIsSet = ProcessInfo.processInfo.environment["OVERMORROW_DIAGNOSTICS"] == nil

/// What a process has printed of mistakes.
package func ownLines(in output: [UInt8]) -> [String] {
  String(decoding: output, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("Overmorrow:") }.map {
    String($0)
  }
}
