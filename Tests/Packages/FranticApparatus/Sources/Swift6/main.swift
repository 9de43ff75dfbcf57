import Foundation
import FranticApparatus

// Callbacks of FranticApparatus are not `@Sendable`, so one that is written on the main actor belongs to the main actor, and
// has to go to `GCDDispatcher.main`. These are written on none.

func page(_ number: Int) -> Promise<String> {
  Promise { fulfill, _, _ in fulfill("page \(number)") }
}

func printTitles() {
  let done = DispatchSemaphore(value: 0)
  let dispatcher = GCDDispatcher(queue: DispatchQueue(label: "callbacks"))
  let titles = all([page(1), page(2)]).whenFulfilledThenTransform(on: dispatcher) { pages in
    pages.map { $0.uppercased() }
  }.whenFulfilled(on: dispatcher) { titles in
    print(titles)
  }.whenComplete(on: dispatcher) {
    done.signal()
  }
  done.wait()
  withExtendedLifetime(titles) {}
}

printTitles()
