import Overmorrow
import OvermorrowObservation
import OvermorrowTesting
import Testing

@testable import Recipes

@MainActor @Suite(.checkedPromises) struct FeedTests {
  private struct Offline: Error {}

  private let clock = TestClock()
  private let server = FakeServer<String, [String]>()
  private let store: FeedStore
  private let model: FeedModel
  private let background = BackgroundRefresh()

  init() {
    store = FeedStore(fetch: server.send)
    model = FeedModel(store: store)
  }

  @Test("a pull and a background load share one request")
  func shared() async {
    var saved: [String] = []
    background.start(store) { saved = $0 }
    let pull = Task { await model.show() }
    await clock.advance(by: .zero)
    #expect(server.requests == ["news"])
    server.answer("news", with: ["Rain"])
    await pull.value
    await clock.advance(by: .zero)
    #expect(model.items.value == ["Rain"] && saved == ["Rain"])
  }

  @Test("the shared request continues until both have cancelled")
  func oneLeaves() async {
    background.start(store) { _ in Issue.record("the time was up") }
    let pull = Task { await model.show() }
    await clock.advance(by: .zero)
    background.timeIsUp()
    await clock.advance(by: .zero)
    #expect(server.cancelled.isEmpty)
    server.answer("news", with: ["Rain"])
    await pull.value
    #expect(model.items.value == ["Rain"])
  }

  @Test("the request of two cancelled loads is cancelled, and a pull sends another")
  func bothLeave() async {
    background.start(store) { _ in Issue.record("the time was up") }
    let pull = Task { await model.show() }
    await clock.advance(by: .zero)
    pull.cancel()
    await pull.value
    #expect(server.cancelled.isEmpty)
    background.timeIsUp()
    await clock.advance(by: .zero)
    #expect(server.cancelled == ["news"] && model.items.error == nil)
    let next = Task { await model.show() }
    await clock.advance(by: .zero)
    server.answer("news", with: ["Sun"])
    await next.value
    #expect(model.items.value == ["Sun"] && server.requests == ["news", "news"])
  }

  @Test("an error is shown, and the items remain")
  func error() async {
    for items in [["Rain"], nil, ["Sun"]] {
      let isFirst = model.items.value == nil
      let pull = Task { if isFirst { await model.show() } else { await model.refresh() } }
      await clock.advance(by: .zero)
      if let items { server.answer("news", with: items) } else { server.answer("news", with: Offline()) }
      await pull.value
      #expect(model.items.value == items ?? ["Rain"] && (model.items.error is Offline) == (items == nil))
    }
  }
}
