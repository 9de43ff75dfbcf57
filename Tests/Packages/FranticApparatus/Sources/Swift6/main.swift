import Foundation
import FranticApparatus

// Callbacks of FranticApparatus are not `@Sendable`. So a callback written in main-actor code is isolated to the main
// actor, and must be dispatched to `GCDDispatcher.main`. These callbacks are written in nonisolated code.

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
