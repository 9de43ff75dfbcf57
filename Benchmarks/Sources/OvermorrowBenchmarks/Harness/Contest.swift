import Dispatch

/// Row i: two threads register callbacks while a third resolves.
///
/// The threads sleep between rounds instead of spinning, so that valgrind, which runs one thread at a time, makes
/// progress. The queues and semaphores add very little to the cost of each of the thousand callbacks.
struct Contest {
  private let registrars = [DispatchQueue(label: "registrar 1"), DispatchQueue(label: "registrar 2")]
  private let halfway = DispatchSemaphore(value: 0)
  private let finished = DispatchSemaphore(value: 0)

  /// Each of two threads registers half of the row's callbacks. The third thread resolves when the first is halfway
  /// through.
  func round(register: @escaping @Sendable () -> Void, resolve: () -> Void) {
    let each = Row.i.group / registrars.count
    let halfway = halfway
    let finished = finished
    for (index, registrar) in registrars.enumerated() {
      registrar.async {
        for done in 0..<each {
          if index == 0, done == each / 2 { halfway.signal() }
          register()
        }
        finished.signal()
      }
    }
    halfway.wait()
    resolve()
    for _ in registrars { finished.wait() }
  }
}
