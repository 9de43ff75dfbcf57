import Foundation
import PromiseKit

struct TimedOut: Error {}

func thumbnail(_ number: Int) -> Promise<String> {
  if number == 7 { return Promise { _ in throw TimedOut() } }
  return after(.milliseconds(number % 3)).then { Promise.value("\(number).jpg") }
}

func within<T>(_ seconds: TimeInterval, _ promise: Promise<T>) -> Promise<T> {
  return race(promise, after(seconds: seconds).done { throw TimedOut() }.then { promise })
}

func thumbnails() -> Promise<String> {
  var numbers = (1...6).makeIterator()
  let promises = AnyIterator { numbers.next().map(thumbnail) }
  return within(30, when(fulfilled: promises, concurrently: 2).map { $0.joined(separator: " ") })
}
