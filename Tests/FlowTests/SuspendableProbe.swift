@testable import Overmorrow

/// Work that notes what it is told.
final class SuspendableProbe: PromiseSuspendable {
  enum Call: Hashable {
    case suspend, resume
  }

  private let recorder = Recorder<Call>()
  private let object: Tracker.Tracked?

  init(keeping object: Tracker.Tracked? = nil) { self.object = object }

  var calls: [Call] { recorder.entries }
  var isSuspended: Bool { calls.last == .suspend }

  func suspend() { recorder.record(.suspend) }
  func resume() { recorder.record(.resume) }

  /// What is wrong with what it was told: it is suspended and resumed by turns.
  var mistake: String? {
    let calls = calls
    let isOrdered = calls.enumerated().allSatisfy { $1 == ($0 % 2 == 0 ? .suspend : .resume) }
    return isOrdered ? nil : "told \(calls)"
  }
}
