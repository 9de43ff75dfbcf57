#if ServiceLifecycle
  internal import Overmorrow
  public import OvermorrowFlow
  public import ServiceLifecycle

  /// A service that closes a gate on graceful shutdown, and ends when no work of the gate is running.
  ///
  /// ```swift
  /// let group = ServiceGroup(
  ///   services: [database, PromiseGateService(gate, cancellingAfter: .seconds(10))], logger: logger)
  /// ```
  ///
  /// A group shuts its services down in reverse order, and each of them only after the end of the one after it. So a
  /// gate after the services that its work uses closes before these services shut down.
  ///
  /// A group also cancels its services, for example when another service ends before its turn. The deadline holds then,
  /// too: a cancelled service closes the gate, and asks the running work to cancel at the deadline, counted from the
  /// graceful shutdown or, without one, from the cancellation. If there is no deadline, it asks the work at once. The
  /// service ends when the work has ended in any case, so no work outlives the service. Set a deadline that is shorter
  /// than the time limits of the group, because the group ends the process at the last of them.
  public struct PromiseGateService: Service {
    private let gate: PromiseGate
    private let deadline: Duration?
    private let clock: any Clock<Duration>

    /// Creates a service for a gate.
    ///
    /// - Parameters:
    ///   - gate: The gate to close.
    ///   - deadline: The time after which the running work is asked to cancel, counted from the graceful shutdown. Zero
    ///     or less means at once. `nil`, the default, means when the service is cancelled.
    ///   - clock: The clock that measures the deadline. The continuous clock by default.
    public init(
      _ gate: PromiseGate, cancellingAfter deadline: Duration? = nil,
      clock: any Clock<Duration> = ContinuousClock()
    ) {
      self.gate = gate
      self.deadline = deadline
      self.clock = clock
    }

    /// Waits for the graceful shutdown, closes the gate, and waits until no work is running.
    ///
    /// The method closes the gate also if the task is cancelled. It throws no error.
    public func run() async {
      // An error means that the task was cancelled.
      try? await gracefulShutdown()
      let end: Promise<Void, Never> = gate.close(cancellingAfter: deadline, clock: clock)
      await withTaskCancellationHandler {
        // A cancelled task does not wait for a promise, but the service waits for its work.
        await withCheckedContinuation { continuation in
          end.always(on: .immediate) { _ in continuation.resume() }
        }
      } onCancel: {
        // Without a deadline, nothing else limits the work.
        if deadline == nil { let _: Promise<Void, Never> = gate.close(cancellingAfter: .zero) }
      }
    }
  }
#endif
