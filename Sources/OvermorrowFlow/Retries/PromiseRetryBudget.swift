internal import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// A budget of retries that many callers share, so that retries cannot multiply the load of a service that fails.
///
/// ```swift
/// let budget = PromiseRetryBudget(ratio: 0.1, minimum: 10)
///
/// var policy = PromiseRetryPolicy(attempts: 3, backoff: .exponential(.milliseconds(200)).jittered())
/// policy.budget = budget
/// ```
///
/// Each attempt that succeeds adds a share of a retry to the budget, and each further attempt takes one retry from it.
/// If the budget is used up, no further attempt begins, and the last result is final. While a service works, the budget
/// does not limit the few retries. While all calls fail, the budget allows only its minimum.
///
/// **A budget may be used from any thread.** A budget counts in ten slots of its window, whatever the number of calls.
public final class PromiseRetryBudget: Sendable {
  private let ratio: Double
  private let minimum: Int
  private let stopwatch: Stopwatch
  private let window: Guarded<SlidingWindow>
  /// The observer of the events; `nil` if there is none.
  private let observer = Guarded<FlowObserver?>(nil)

  /// Creates a budget.
  ///
  /// - Parameters:
  ///   - ratio: The number of retries that each success in the window allows; 0.1 by default. A negative number or NaN
  ///     counts as 0. Infinity counts as the largest number.
  ///   - minimum: The number of retries in the window that are allowed without any success; 10 by default. A negative
  ///     number counts as 0.
  ///   - window: The length of the window; 10 seconds by default. The window moves in steps of a tenth of its length.
  ///     Less than 10 nanoseconds count as 10 nanoseconds.
  ///   - clock: The clock that measures the window. The continuous clock by default.
  public init(
    ratio: Double = 0.1, minimum: Int = 10, window: Duration = .seconds(10),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    let usable = ratio > 0 ? min(ratio, .greatestFiniteMagnitude) : 0
    self.ratio = Diagnostics.replace(ratio, by: usable, "PromiseRetryBudget.ratio")
    self.minimum = Diagnostics.replace(minimum, by: max(minimum, 0), "PromiseRetryBudget.minimum")
    self.window = Guarded(SlidingWindow(SlidingWindow.usable(window, of: "PromiseRetryBudget")))
    stopwatch = Stopwatch(clock)
  }

  /// The numbers of retries and of successes in the window, and the number of retries that the budget allows now.
  var content: (retries: Int, successes: Int, allowed: Int) {
    let now = stopwatch.elapsed
    let (successes, retries) = window.withLock { $0.sums(at: now) }
    // A product that an integer cannot represent would trap.
    var share = Int(min(Double(successes) * ratio, Double(Int32.max)))
    if isShare(share + 1, of: successes) { share += 1 }
    return (retries, successes, minimum.addingReportingOverflow(share).overflow ? .max : minimum + share)
  }

  /// Returns whether the successes allow a number of retries above the minimum.
  private func isShare(_ retries: Int, of successes: Int) -> Bool {
    // A quotient equals the nearest number to a decimal fraction. A product with the ratio may be below the retries.
    Double(retries) / Double(successes) <= ratio
  }

  /// Records an attempt that has succeeded.
  @usableFromInline
  func recordSuccess() {
    let now = stopwatch.elapsed
    _ = window.withLock { $0.add(successes: 1, at: now) }
  }

  /// Takes a retry from the budget. Returns `nil` if the budget is used up.
  func takeRetry() -> Retry? {
    let now = stopwatch.elapsed
    let slot = window.withLock { window -> Int64? in
      // The window counts the retries as failures.
      let (successes, retries) = window.sums(at: now)
      let needed = retries + 1 - minimum
      guard needed <= 0 || isShare(needed, of: successes) else { return nil }
      return window.add(failures: 1, at: now)
    }
    guard let slot else {
      observer.withLock { $0 }?(.refused)
      return nil
    }
    return Retry(of: self, in: slot)
  }

  /// Sets an observer of the retries that begin and are refused, for a metrics library.
  package func observe(_ observer: @escaping FlowObserver) { self.observer.withLock { $0 = observer } }

  private func putBack(_ slot: Int64) {
    let now = stopwatch.elapsed
    window.withLock { $0.removeFailure(from: slot, at: now) }
  }

  /// A retry that was taken from a budget. If the retry is released unused, the budget gets the retry back. A further
  /// attempt that is cancelled during its delay therefore costs nothing.
  final class Retry: Sendable {
    private let budget: PromiseRetryBudget
    /// The slot that counts the retry; `nil` after the retry was used.
    private let slot: Guarded<Int64?>

    fileprivate init(of budget: PromiseRetryBudget, in slot: Int64) {
      self.budget = budget
      self.slot = Guarded(slot)
    }

    /// Records that the further attempt begins.
    func use() {
      slot.withLock { $0 = nil }
      budget.observer.withLock { $0 }?(.begins)
    }

    deinit {
      if let slot = slot.withLock({ $0 }) { budget.putBack(slot) }
    }
  }
}
