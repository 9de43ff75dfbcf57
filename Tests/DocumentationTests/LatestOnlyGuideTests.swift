import Overmorrow
import Testing

/// The samples and the statements of the guide `LatestOnly.md`.
@Suite(.inTurn) struct LatestOnlyGuideTests {
  @MainActor
  final class SearchModel {
    private(set) var hits: [String] = []
    private(set) var message: String?
    private var search: PromiseCancellable?

    func textDidChange(to text: String) {
      search = Promise<String, any Error>(fulfilled: text, after: .milliseconds(300))
        .flatMap(on: .utility) { text in fetchHits(text) }
        .bound(to: self)
        .then { model, hits in model.hits = hits }
        .catch { model, error in model.message = "\(error)" }
        .owned()
    }
  }

  @MainActor
  final class DetailModel {
    private(set) var detail = ""
    private var load: PromiseCancellable?

    func select(_ name: String) {
      load = fetchDetail(name)
        .bound(to: self)
        .then { model, detail in model.detail = detail }
        .owned()
    }
  }

  @MainActor
  final class PositionReporter {
    private var interval: Promise<Void, Never>?

    func report(_ position: Int) {
      if let interval, interval.result == nil { return }
      interval = Promise(fulfilled: (), after: .seconds(1))
      send(position)
    }
  }

  @Test("6.1 9.2 a search shows the results for the last text")
  @MainActor func search() async {
    let model = SearchModel()
    for text in ["a", "ad", "ada"] { model.textDidChange(to: text) }
    await until("the hits") { model.hits == ["hit of ada"] }
    #expect(model.message == nil && searches.entries.last == "ada")
  }

  @Test("9.2 a new selection cancels the old load, whose result is not shown")
  @MainActor func latest() async {
    let model = DetailModel()
    model.select("ada")
    model.select("bob")
    #expect(details.mapValues(\.requestCount) == ["ada": 1, "bob": 0])
    details["bob"]?.resolver.fulfill(with: "bob's detail")
    details["ada"]?.resolver.fulfill(with: "ada's detail")
    await until("the detail") { model.detail != "" }
    #expect(model.detail == "bob's detail")
  }

  @Test("6.1 of several positions in quick succession, the first is sent")
  @MainActor func throttle() {
    let reporter = PositionReporter()
    for position in 1...3 { reporter.report(position) }
    #expect(sent.entries == [1])
  }
}

private let searches = Recorder<String>()

private func fetchHits(_ text: String) -> Promise<[String], any Error> {
  searches.record(text)
  return Promise(fulfilled: ["hit of \(text)"])
}

private let details = ["ada", "bob"].reduce(into: [:]) { $0[$1] = CancelProbe<String, any Error>(complying: true) }

private func fetchDetail(_ name: String) -> Promise<String, any Error> {
  details[name]?.take() ?? Promise(with: .cancelled)
}

private let sent = Recorder<Int>()

private func send(_ position: Int) { sent.record(position) }
