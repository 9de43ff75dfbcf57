@testable import Overmorrow

/// A producer that notes what it is told.
final class SuspendableProbe: PromiseSuspendable {
  enum Call: Hashable {
    case suspend, resume, cancel
  }

  private let recorder = Recorder<Call>()

  var calls: [Call] { recorder.entries }
  var isSuspended: Bool { calls.last == .suspend }

  func suspend() { recorder.record(.suspend) }
  func resume() { recorder.record(.resume) }
  func cancel() { recorder.record(.cancel) }

  /// What is wrong with what it was told: each suspension is followed by at most one resumption, and nothing by nothing.
  var mistake: String? {
    let calls = calls
    for (index, call) in calls.enumerated() {
      let isOrdered = call == .cancel ? index == calls.count - 1 : call == (index % 2 == 0 ? .suspend : .resume)
      if !isOrdered { return "told \(calls)" }
    }
    return nil
  }
}
