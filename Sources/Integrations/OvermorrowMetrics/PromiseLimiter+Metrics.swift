#if Metrics
  public import Metrics
  public import OvermorrowFlow

  extension PromiseLimiter {
    /// Records the numbers of running and waiting jobs in the meters `LABEL.running` and `LABEL.pending`.
    ///
    /// If the limiter was created with `recordsTimes: true`, each time in the queue and each time with a place is
    /// recorded in the timers `LABEL.wait` and `LABEL.run`.
    ///
    /// Call this method once, before the first job. A limiter without this call has no cost from metrics.
    ///
    /// - Runs on: the thread that adds a job to the limiter or ends a job.
    /// - Parameters:
    ///   - label: The prefix of the labels, such as `"downloads"`.
    ///   - dimensions: The dimensions of the meters and timers; none by default.
    ///   - factory: The factory of the meters and timers; `nil` means the factory of the program's metrics system.
    public func recordMetrics(
      label: String, dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil
    ) {
      let factory = factory ?? MetricsSystem.factory
      let running = Meter(label: "\(label).running", dimensions: dimensions, factory: factory)
      let pending = Meter(label: "\(label).pending", dimensions: dimensions, factory: factory)
      // The meters change by differences, because two threads may call this closure in a different order than they
      // changed the limiter.
      observeCounts { change in
        running.change(by: change.running)
        pending.change(by: change.pending)
      }
      if !recordsTimes { return }
      let wait = Timer(label: "\(label).wait", dimensions: dimensions, factory: factory)
      let run = Timer(label: "\(label).run", dimensions: dimensions, factory: factory)
      observeTimes { part, time in
        switch part {
        case .waiting: wait.record(duration: time)
        case .running: run.record(duration: time)
        }
      }
    }
  }

  extension Meter {
    fileprivate func change(by difference: Int) {
      if difference > 0 { increment(by: Double(difference)) }
      if difference < 0 { decrement(by: Double(-difference)) }
    }
  }
#endif
