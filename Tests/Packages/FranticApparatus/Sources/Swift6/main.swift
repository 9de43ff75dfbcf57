import Foundation
import FranticApparatus

// Callbacks of FranticApparatus are not `@Sendable`, and belong to no actor that the compiler knows of: what they share is
// behind a lock, or goes from one to the next as a value.

func page(_ number: Int) -> Promise<String> {
  Promise { fulfill, _, _ in fulfill("page \(number)") }
}

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
