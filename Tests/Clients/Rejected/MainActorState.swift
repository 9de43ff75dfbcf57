import Dispatch
import Overmorrow

@MainActor
final class Label {
  var text = ""

  func follow(_ promise: Promise<String, any Error>, on queue: DispatchQueue) {
    promise.then(on: .queue(queue)) { self.text = $0 }  // error: main actor-isolated property 'text' can not be mutated
    promise.then(on: .main) { _ in self.clear() }  // error: call to main actor-isolated instance method 'clear()'
  }

  func clear() { text = "" }
}
