import Observation
import Overmorrow

@MainActor @Observable
final class SearchModel {
  var text = "" {
    didSet { if text != oldValue { textDidChange() } }
  }
  private(set) var results: [String] = []

  private let find: @MainActor (String) -> Promise<[String], any Error>
  private let clock: any Clock<Duration>
  private var search: PromiseCancellable?

  init(
    clock: any Clock<Duration> = ContinuousClock(), find: @escaping @MainActor (String) -> Promise<[String], any Error>
  ) {
    self.clock = clock
    self.find = find
  }

  private func textDidChange() {
    search = Promise<String, any Error>(fulfilled: text, after: .milliseconds(300), clock: clock)
      .bound(to: self)
      .flatMap { model, text in model.find(text) }
      .then { model, results in model.results = results }
      .owned()
  }
}
