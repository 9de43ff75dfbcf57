import Observation
import Overmorrow
import OvermorrowObservation

/// A search field in which late results of an earlier text never appear.
///
/// It searches when the text has not changed for 300 milliseconds. Each change replaces the load before it, which is asked to cancel: its timer
/// is removed, or its request is asked to cancel, and its results do not appear.
@MainActor @Observable
final class SearchModel {
  let results: PromiseLoad<String, [String]>
  var text = "" {
    didSet { if text != oldValue { textDidChange() } }
  }

  init(
    clock: any Clock<Duration> = ContinuousClock(), find: @escaping @MainActor (String) -> Promise<[String], any Error>
  ) {
    results = PromiseLoad { text in
      Promise(fulfilled: text, after: .milliseconds(300), clock: clock).flatMap { text in find(text) }
    }
    results.keepsPreviousValue = true
  }

  private func textDidChange() {
    if text.isEmpty { results.reset() } else { results.load(text) }
  }
}
