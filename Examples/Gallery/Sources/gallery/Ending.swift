import GalleryKit
import Overmorrow

/// The final message of the program and its exit status.
struct Ending: Equatable {
  /// The text for the standard output.
  var message = ""

  /// The text for the standard error.
  var complaint = ""

  /// The exit status; 0 means success.
  var status: Int32

  /// Creates the ending for a result, and for the signal that came before it, if any.
  init(of result: PromiseResult<Summary, any Error>, signal: Int32?) {
    switch result {
    case .value(let summary):
      message = "\(summary)\n"
      complaint = summary.failures
        .map { "\($0.user.name): \($0.failure.map(String.init(describing:)) ?? "")\n" }
        .joined()
      status = summary.failures.isEmpty ? 0 : 1
    case .error(let error):
      complaint = "Error: \(error)\n"
      status = 1
    case .cancelled:
      complaint = "Stopped. The output folder is unchanged.\n"
      // By convention, the status of a program that a signal has ended is 128 plus the number of the signal.
      status = signal.map { 128 + $0 } ?? 1
    }
  }
}
