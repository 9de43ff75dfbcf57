@testable import Overmorrow
@testable import OvermorrowFlow

/// Work that records the calls it receives.
final class SuspendableProbe: PromiseSuspendable {
  enum Call: Hashable {
    case suspend, resume
  }

  private let recorder = Recorder<Call>()
  private let object: Tracker.Tracked?
  private let react: @Sendable (Call) -> Void

  /// - Parameter react: Called for each call that the work receives.
  init(keeping object: Tracker.Tracked? = nil, _ react: @escaping @Sendable (Call) -> Void = { _ in }) {
    (self.object, self.react) = (object, react)
  }

  var calls: [Call] { recorder.entries }
  var isSuspended: Bool { calls.last == .suspend }

  func suspend() { tell(.suspend) }
  func resume() { tell(.resume) }

  private func tell(_ call: Call) {
    recorder.record(call)
    react(call)
  }

  /// A fault, unless the calls alternate between suspend and resume.
  var mistake: String? {
    let calls = calls
    let isOrdered = calls.enumerated().allSatisfy { $1 == ($0 % 2 == 0 ? .suspend : .resume) }
    return isOrdered ? nil : "told \(calls)"
  }
}
