internal import Dispatch
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// The printing of the pending promises at a signal or after a delay. An environment variable requests the printing.
enum PendingOnRequest {
  /// The event at which the list is printed.
  enum Trigger: Equatable {
    /// Each arrival of the signal SIGQUIT. A terminal sends this signal for Control-\.
    case quitSignal
    /// The end of a delay after the first promise was made. If no promise is pending at that time, nothing is printed.
    case delay(seconds: Double)

    init?(_ text: String) {
      if text == "signal" {
        self = .quitSignal
      } else if text.hasPrefix("after:"), let seconds = Double(text.dropFirst(6)), (0...1e9).contains(seconds) {
        self = .delay(seconds: seconds)
      } else {
        return nil
      }
    }
  }

  static var variable: String { "OVERMORROW_PENDING" }

  /// The queue for printing. It is a separate queue, so that printing does not wait for other work.
  private static let queue = DispatchQueue(label: "Overmorrow.PendingOnRequest", qos: .userInteractive)

  /// Installs the trigger that the environment variable specifies. The trigger is installed once, when the first
  /// promise is made, even if the program has set the level ``PromiseDiagnostics/Level/off`` before.
  static let begin: Void = {
    guard let text = System.environment(variable) else { return }
    guard let trigger = Trigger(text) else {
      return System.printToStandardError(
        "Overmorrow: \(variable) is ignored: \"\(text)\" is neither \"signal\" nor \"after:\" and a number of seconds.")
    }
    if !Diagnostics.isWatching {
      System.printToStandardError(
        "Overmorrow: \(variable) has no effect: \(ReportLevel.variable) is off, or this is a release build.")
    }
    switch trigger {
    case .quitSignal:
      System.onQuitSignal(on: queue) { printPending() }
    case .delay(let seconds):
      queue.asyncAfter(deadline: .now() + Duration.seconds(seconds).dispatchInterval()) {
        printPending(evenIfEmpty: false)
      }
    }
  }()

  /// Prints the list. If the lines of steps still have to be looked up, which takes up to some seconds, first prints
  /// the list without them.
  static func printPending(evenIfEmpty: Bool = true) {
    let pending = PendingPromises.snapshot(isQuick: true)
    if pending.entries.isEmpty, !evenIfEmpty { return }
    System.printToStandardError("Overmorrow: \(pending)")
    if pending.lacksCalls { System.printToStandardError("Overmorrow: with lines: \(PromiseDiagnostics.pending())") }
  }
}
