import Observation
import Overmorrow

/// A search field that never shows the results of an earlier text.
///
/// It searches when the text has not changed for 300 milliseconds. Each change replaces the handle `search`, which ends the previous chain:
/// the timer is removed or the request is asked to cancel, and the callbacks do not run.
@MainActor @Observable
final class SearchModel {
  var text = "" {
    didSet { if text != oldValue { textDidChange() } }
  }
  private(set) var results: [String] = []
  private(set) var message: String?
  private(set) var isLoading = false

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
    message = nil
    isLoading = !text.isEmpty
    guard isLoading else {
      search = nil
      results = []
      return
    }
    search = Promise<String, any Error>(fulfilled: text, after: .milliseconds(300), clock: clock)
      .bound(to: self)
      .flatMap { model, text in model.find(text) }
      .then { model, results in model.results = results }
      .catch { model, error in model.message = "\(error)" }
      .always { model, _ in model.isLoading = false }
      .owned()
  }
}
