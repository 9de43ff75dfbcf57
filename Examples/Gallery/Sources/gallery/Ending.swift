import GalleryKit
import Overmorrow

/// What the program says at the end, and the status it exits with.
struct Ending: Equatable {
  /// For the standard output.
  var message = ""

  /// For the standard error.
  var complaint = ""

  /// 0 if all is well.
  var status: Int32

  /// The end that follows from the result, and from the signal that came before it, if any.
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
      complaint = "Stopped. The output folder is as it was.\n"
      // By custom, a program that a signal ended has a status of 128 and the number of the signal.
      status = signal.map { 128 + $0 } ?? 1
    }
  }
}
