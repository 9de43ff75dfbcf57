internal import Overmorrow
internal import OvermorrowDiagnostics
public import OvermorrowEngine

/// A call of an async function in the list of pending promises, for code that a client specialises.
@usableFromInline
struct NotedCall: Sendable {
  private let call: TaskCall

  /// Begins a call of the current task. Returns `nil` if promises are not watched. Otherwise, ``end()`` must follow in
  /// the same task.
  @usableFromInline
  init?(_ function: StaticString, at site: CallSite, waitingFor cause: StaticString = "its closure") {
    guard let call = TaskCall.begin(function, at: site, waitingFor: cause) else { return nil }
    self.call = call
  }

  /// Ends the call.
  @usableFromInline
  func end() { call.end() }

  /// Changes what the call waits for.
  @usableFromInline
  func wait(for cause: String) { call.cause = cause }
}
