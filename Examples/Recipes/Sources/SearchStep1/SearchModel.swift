import Observation
import Overmorrow
import OvermorrowObservation

@MainActor @Observable
final class SearchModel {
  let results: PromiseLoad<String, [String]>
  var text = "" {
    didSet { if text != oldValue { results.load(text) } }
  }

  init(find: @escaping @MainActor (String) -> Promise<[String], any Error>) {
    results = PromiseLoad { text in find(text) }
    results.keepsPreviousValue = true
  }
}
