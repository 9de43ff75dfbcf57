internal import Dispatch
internal import OvermorrowEngine

/// A semaphore whose waits the explorer controls. A wait with a time limit always times out if no permit is available.
/// This class takes the place of Dispatch's in the core.
final class DispatchSemaphore: Sendable {
  private let permits: Permits

  init(value: Int) { permits = Permits(value) }

  func signal() { permits.give() }
  func wait() { permits.take() }
  func wait(timeout: DispatchTime) -> DispatchTimeoutResult { permits.tryTake() ? .success : .timedOut }
}
