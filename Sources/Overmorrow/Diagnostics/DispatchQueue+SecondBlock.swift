internal import Dispatch

extension DispatchQueue {
  /// The time within which a queue that is not serial admits a waiting thread.
  static var admission: DispatchTimeInterval { .milliseconds(300) }

  /// Returns whether the queue, of which a thread runs a block, admits a second block now. If not, the queue is serial,
  /// or a barrier waits for that thread. Dispatch has no function that says whether a queue is serial.
  ///
  /// The second block comes from a serial queue, which gets a thread even if all threads of the pool are blocked.
  func admitsSecondBlock() -> Bool {
    let (begun, admitted) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    DispatchQueue(label: "Overmorrow.SecondBlock").async {
      begun.signal()
      self.sync { _ = admitted.signal() }
    }
    begun.wait()
    return admitted.wait(timeout: .now() + Self.admission) == .success
  }
}
