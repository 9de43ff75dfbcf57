import Overmorrow
import OvermorrowObservation
import OvermorrowTesting
import Testing

@testable import Recipes

@MainActor @Suite(.checkedPromises) struct SearchModelTests {
  private struct Offline: Error {}

  private let clock = TestClock()
  private let server = FakeServer<String, [String]>()
  private let model: SearchModel

  init() {
    model = SearchModel(clock: clock, find: server.send)
  }

  @Test("the model searches 300 milliseconds after the last change")
  func debounce() async {
    for text in ["s", "sw", "swift"] {
      model.text = text
      await clock.advance(by: .milliseconds(299))
    }
    #expect(server.requests.isEmpty && model.results.isLoading)
    await clock.advance(by: .milliseconds(1))
    #expect(server.requests == ["swift"])
    server.answer("swift", with: ["Swift 6"])
    await clock.advance(by: .zero)
    #expect(model.results.value == ["Swift 6"] && !model.results.isLoading)
  }

  @Test("a search for an older text is cancelled, and its result is not shown")
  func latestOnly() async {
    model.text = "swi"
    await clock.advance(by: .milliseconds(300))
    model.text = "swift"
    await clock.advance(by: .milliseconds(300))
    #expect(server.cancelled == ["swi"] && model.results.isLoading)
    server.answer("swift", with: ["Swift 6"])
    server.answer("swi", with: ["swim"])
    await clock.advance(by: .zero)
    #expect(model.results.value == ["Swift 6"] && !model.results.isLoading)
  }

  @Test("an error is shown until the text changes")
  func error() async {
    model.text = "swift"
    await clock.advance(by: .milliseconds(300))
    server.answer("swift", with: Offline())
    await clock.advance(by: .zero)
    #expect(model.results.error is Offline && !model.results.isLoading)
    model.text = "swif"
    #expect(model.results.error == nil && model.results.isLoading)
  }

  @Test("an empty text ends the search and clears the results")
  func empty() async {
    model.text = "swift"
    await clock.advance(by: .milliseconds(300))
    server.answer("swift", with: ["Swift 6"])
    await clock.advance(by: .zero)
    model.text = "swift 7"
    await clock.advance(by: .milliseconds(300))
    model.text = ""
    #expect(model.results.value == nil && !model.results.isLoading)
    await clock.advance(by: .seconds(1))
    #expect(server.cancelled == ["swift 7"] && server.requests == ["swift", "swift 7"])
  }

  @Test("a released model ends its search")
  func released() async {
    var model: SearchModel? = SearchModel(clock: clock, find: server.send)
    weak let released = model
    model?.text = "swift"
    await clock.advance(by: .milliseconds(300))
    model = nil
    await clock.advance(by: .zero)
    #expect(released == nil && server.cancelled == ["swift"])
  }
}
