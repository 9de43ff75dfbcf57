internal import Dispatch
internal import OvermorrowEngine

/// The report of a program that ends while callbacks wait for a main queue that nothing has served.
///
/// The main queue counts as unserved if a block that was submitted to it with the first promise has not run.
enum UnservedMainQueue {
  private static let servedFlag = OnceFlag()

  /// Whether the main queue has been served since the first watched promise was made.
  static var isServed: Bool { servedFlag.isTaken }

  /// The process that has submitted the block. A process that `fork` has made reports nothing, because threads that it
  /// does not have may hold the locks of the list.
  private static let process = System.process

  /// Prepares the report. The preparation happens once, when the first watched promise is made.
  static let begin: Void = {
    _ = process
    DispatchQueue.main.async { _ = servedFlag.take() }
    System.atExit { UnservedMainQueue.programEnds() }
  }()

  /// Prints the report, unless the main queue has been served, or another thread, a task or a test runner ends the
  /// program. The task is the async `main`, which may end before it suspends for the first time.
  ///
  /// Dispatch counts the main thread as being on the main queue even if nothing serves the queue. So a look at the
  /// current queue would say nothing. A callback that `dispatchMain()` serves does not run on the main thread.
  private static func programEnds() {
    guard System.process == process, CurrentThread.isMain, !CurrentTask.exists, servedFlag.take(), !isTestRunner
    else { return }
    switch Diagnostics.level {
    case .off, .report: return
    case .print, .trap: if let line { System.printToStandardError(line) }
    }
  }

  /// Whether XCTest has started this program. It may run all tests on the main thread, and then call `exit`.
  private static var isTestRunner: Bool {
    guard let path = System.programPath else { return false }
    return path.hasSuffix(".xctest") || path.hasSuffix("/xctest")
  }

  /// The report; `nil` if no callback and no body waits for the main queue.
  private static var line: String? {
    var (count, oldest) = (0, CoreNote?.none)
    CoreNote.visitAll { note, _ in
      // The place of a promise with a body is the main queue only until the body begins.
      guard note.site.isInUserCode, !note.core.state.isResolved, note.core.place.isOnMain else { return }
      count += 1
      if oldest.map({ note.number < $0.number }) ?? true { oldest = note }
    }
    guard let oldest, let place = oldest.site.text else { return nil }
    let promise = "this promise\(oldest.name.map { " \"\($0)\"" } ?? "")"
    let callbacks = count == 1 ? "a callback of \(promise)" : "\(count) callbacks, the first of \(promise),"
    return
      "Overmorrow: \(place): the program ended while \(callbacks) waited for the main queue, which nothing served. "
      + "End main with dispatchMain(), or await a promise there."
  }
}
