import Overmorrow
import OvermorrowObservation
import OvermorrowTesting
import Testing

@testable import Recipes

@MainActor @Test("the model searches 300 milliseconds after the last change")
func searchWaits() async {
  let clock = TestClock()
  let model = SearchModel(clock: clock) { text in Promise(fulfilled: ["Result of \(text)"]) }
  model.text = "swi"
  await clock.advance(by: .milliseconds(299))
  model.text = "swift"
  await clock.advance(by: .milliseconds(299))
  #expect(model.results.value == nil && model.results.isLoading)
  await clock.advance(by: .milliseconds(1))
  #expect(model.results.value == ["Result of swift"] && !model.results.isLoading)
}
