/// Work that can be stopped for a while, such as a download: the producer of a promise.
///
/// Give it to a resolver by ``Promise/Resolver/attach(_:)``; it is told when its promise is suspended, resumed, or asked
/// to cancel.
///
/// **It is told from any thread, but by one at a time.** A call that comes in while another one runs is made up for
/// afterwards. None comes after the promise has resolved.
public protocol PromiseSuspendable: Sendable {
  /// Stops the work for a while. Called while it is not suspended.
  func suspend()

  /// Goes on with the work. Called while it is suspended.
  func resume()

  /// Ends the work. Called at most once, suspended or not, and nothing is called afterwards.
  func cancel()
}

extension Promise.Resolver {
  /// Registers the work behind the promise, to be suspended, resumed and cancelled with it.
  ///
  /// If the promise is suspended by now, the work is suspended at once; if cancelling has been requested, it is cancelled
  /// at once. Whether the promise itself is cancelled then is up to the work, as with
  /// ``onRequestCancel(on:_:)``; a promise that is suspended is cancelled in any case.
  ///
  /// - Parameter producer: Kept until the promise has resolved or is asked to cancel.
  public func attach(_ producer: any PromiseSuspendable) {
    // Resolved, or as soon as it is resumed: there is nothing left to stop.
    guard self.producer.isUnresolved else { return }
    let control = ProducerControl(producer)
    _ = self.producer.withCore { core in

      control.update(for: core)
    }
  }
}
