internal import Dispatch

/// The check whether the calling code runs on the main queue.
///
/// The check looks at the queue and not at the thread. On Linux, `dispatchMain()` and an `async` `main` run the work of
/// the main queue on a thread that is not the main thread.
package enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}

/// A callback that will not run and must be released on the main queue.
@usableFromInline
package final class MainBound<Value>: @unchecked Sendable {
  // Sendable: the thread that makes this object hands it over at once, and does not use it again.
  private var value: Value?

  @usableFromInline
  package init(_ value: consuming Value) { self.value = value }

  /// If the caller is on the main queue, releases the value at once. Otherwise submits the release of the value to the
  /// main queue.
  ///
  /// The submitted work takes the value out of this object, so any thread may release the submitted work afterwards.
  @usableFromInline
  package func release() {
    if MainQueue.isCurrent { value = nil } else { DispatchQueue.main.async { self.value = nil } }
  }
}
