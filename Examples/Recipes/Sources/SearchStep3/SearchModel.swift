import Observation
import Overmorrow

@MainActor @Observable
final class SearchModel {
  var text = "" {
    didSet { if text != oldValue { textDidChange() } }
  }
  private(set) var results: [String] = []

  private let find: @MainActor (String) -> Promise<[String], any Error>
  private var search: PromiseCancellable?

  init(find: @escaping @MainActor (String) -> Promise<[String], any Error>) { self.find = find }

  private func textDidChange() {
    search = find(text)
      .bound(to: self)
      .then { model, results in model.results = results }
      .owned()
  }
}
