internal import Foundation
package import Overmorrow
package import Testing

/// Listens to the diagnostics. The handler is one for the whole process, so only one probe listens at a time, and each
/// hears only what arises on the threads that it knows.
package final class DiagnosticsProbe: Sendable {
  private static let turn = NSLock()

  private let heard = Recorder<(thread: ObjectIdentifier, diagnostic: PromiseDiagnostic)>()
  private let threads = Recorder<ObjectIdentifier>()

  /// What was reported on the known threads, in order, without the places: those are known in debug builds only.
  private var diagnostics: [PromiseDiagnostic] {
    let known = threads.entries
    return heard.entries.filter { known.contains($0.thread) }.map(\.diagnostic.withoutPlace)
  }

  /// Makes the probe listen to the thread that calls this, too. The thread must live as long as the probe listens.
  package func joinThread() { threads.record(currentThread) }

  /// The diagnostics that arise while `body` runs, on this thread and those that join.
  ///
  /// Blocks while another probe listens, so it must be called on a thread that may block.
  package static func listen(to body: (DiagnosticsProbe) -> Void) -> [PromiseDiagnostic] {
    turn.withLock {
      let probe = DiagnosticsProbe()
      probe.joinThread()
      let heard = probe.heard
      PromiseDiagnostics.handler = { heard.record((currentThread, $0)) }
      defer { PromiseDiagnostics.handler = nil }
      body(probe)
      return probe.diagnostics
    }
  }
}

/// What is reported while a closure runs, on a thread that may block.
package func diagnostics(
  sourceLocation: SourceLocation = #_sourceLocation, of body: @escaping @Sendable () -> Void
) async throws -> [PromiseDiagnostic] {
  try await onOwnThread("diagnostics to be collected", sourceLocation: sourceLocation) {
    DiagnosticsProbe.listen { _ in body() }
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
