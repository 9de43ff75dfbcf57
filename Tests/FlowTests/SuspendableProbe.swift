@testable import Overmorrow

/// Work that notes what it is told.
final class SuspendableProbe: PromiseSuspendable {
  enum Call: Hashable {
    case suspend, resume
  }

  private let recorder = Recorder<Call>()
  private let object: Tracker.Tracked?
  private let react: @Sendable (Call) -> Void

  /// - Parameter react: What the work does when it is told something.
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

  /// What is wrong with what it was told: it is suspended and resumed by turns.
  var mistake: String? {
    let calls = calls
    let isOrdered = calls.enumerated().allSatisfy { $1 == ($0 % 2 == 0 ? .suspend : .resume) }
    return isOrdered ? nil : "told \(calls)"
  }
}
