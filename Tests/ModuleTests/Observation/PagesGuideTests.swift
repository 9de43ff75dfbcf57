import Overmorrow
import OvermorrowObservation
import OvermorrowTesting
import TestSupport
import Testing

/// The list with pages of the guide `ShowingPromises.md`.
@MainActor @Suite(.checkedPromises) struct PagesGuideTests {
  private let clock = TestClock()
  private let service = Service()
  private let model: FeedModel

  init() { model = FeedModel(service: service) }

  private var rows: [Int] { model.list.articles.map(\.id) }

  /// Runs the callbacks that have been submitted, and the tasks of the loads.
  private func settle() async { await clock.advance(by: .zero) }

  private func loadNext() async {
    model.loadNext()
    await settle()
    service.answer()
    await settle()
  }

  @Test("22.3 the list of the guide loads each page once, until the end")
  func pages() async {
    for _ in 0..<3 { model.loadNext() }
    await settle()
    #expect(service.requests == [1] && model.feed.isLoading && rows.isEmpty)
    service.answer()
    await settle()
    #expect(rows == [10, 11])
    await loadNext()
    #expect(rows == [10, 11, 20, 21] && model.list.next == 3)
    await loadNext()
    #expect(rows == [10, 11, 20, 21, 30, 31] && model.list.next == nil)
    await loadNext()
    #expect(service.requests == [1, 2, 3] && !model.feed.isLoading)
  }

  @Test("22.6 22.11 after an error, the list keeps its rows and can load the page again")
  func error() async {
    await loadNext()
    model.loadNext()
    await settle()
    service.fail()
    await settle()
    #expect(rows == [10, 11] && model.feed.error is Offline)
    await loadNext()
    #expect(service.requests == [1, 2])
    model.feed.load(model.list)
    await settle()
    service.answer()
    await settle()
    #expect(rows == [10, 11, 20, 21] && service.requests == [1, 2, 2] && model.feed.error == nil)
  }

  @Test("22.2 22.3 the end of the list loads pages that are there already, until the last")
  func warm() async {
    service.isWarm = true
    // SwiftUI's `task(id:)` runs again if the identity is another one when the view is updated.
    var positions: [Position] = []
    while positions.last != model.position, positions.count < 9 {
      positions.append(model.position)
      model.loadNext()
      await settle()
    }
    #expect(positions.map(\.next) == [1, 2, 3, nil] && !positions.contains { $0.isLoading })
    #expect(rows == [10, 11, 20, 21, 30, 31])
  }

  @Test("22.18 a row that is removed while a page is being loaded stays away")
  func removed() async {
    await loadNext()
    model.loadNext()
    await settle()
    model.feed.edit { $0.articles.removeAll { $0.id == 11 } }
    #expect(rows == [10])
    service.answer()
    await settle()
    #expect(rows == [10, 20, 21])
    await loadNext()
    #expect(rows == [10, 20, 21, 30, 31])
  }

  @Test("22.3 22.7 a refresh of the guide replaces the rows and the running page")
  func refresh() async {
    await loadNext()
    model.loadNext()
    await settle()
    let refreshed = Task { await model.refresh() }
    await until("the refresh") { service.requests == [1, 2, 1] }
    // SwiftUI may cancel the task, and the load continues.
    refreshed.cancel()
    await settle()
    #expect(rows == [10, 11] && service.cancelled == [2])
    service.answer()
    await refreshed.value
    #expect(rows == [110, 111] && model.list.next == 102)
  }

  @Test("22.9 random calls and answers neither double nor lose a row of the guide")
  func random() async {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<scaled(100) {
      let service = Service()
      let model = FeedModel(service: service)
      for _ in 0..<20 {
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1, 2: model.loadNext()
        case 3: model.feed.load(Feed())
        case 4, 5, 6: service.answer()
        case 7: service.fail()
        default: if Bool.random(using: &random) { model.feed.reload() } else { model.feed.cancel() }
        }
        if Bool.random(using: &random) { await settle() }
        let rows = model.list.articles.map(\.id)
        let edition = (rows.first ?? 0) / 100 * 100
        #expect(rows == Array(Service.rows(edition).prefix(rows.count)) && rows.count.isMultiple(of: 2))
        #expect(model.list.next == (rows.isEmpty ? 1 : rows.count == 6 ? nil : edition + rows.count / 2 + 1))
      }
      model.feed.reset()
      await settle()
    }
  }
}

private struct Feed {
  var articles: [Article] = []
  var next: Int? = 1
}

private struct Position: Hashable {
  var next: Int?
  var isLoading: Bool
}

@MainActor
private final class FeedModel {
  let feed: PromiseLoad<Feed, Feed>
  var list: Feed { feed.value ?? Feed() }

  init(service: Service) {
    feed = PromiseLoad { list in
      guard let number = list.next else { return list }
      let page = try await service.page(number)
      return Feed(articles: list.articles + page.articles, next: page.next)
    }
    feed.keepsPreviousValue = true
  }

  var position: Position { Position(next: list.next, isLoading: feed.isLoading) }

  func loadNext() {
    if !feed.isLoading, feed.error == nil, list.next != nil { feed.load(list) }
  }

  func refresh() async { await Task { await feed.run(Feed()) }.value }
}

private struct Article: Identifiable {
  let id: Int
}

/// A service with three pages of two articles. Each request of page 1 begins an edition with other articles. The numbers
/// of its articles and of its other pages contain the edition.
@MainActor private final class Service {
  struct Page {
    let articles: [Article]
    let next: Int?
  }

  private(set) var requests: [Int] = []
  private(set) var cancelled: [Int] = []
  /// Whether each page is there already.
  var isWarm = false
  private var nextEdition = 0
  private var open: [(number: Int, resolver: Promise<Page, any Error>.Resolver)] = []

  static func rows(_ edition: Int) -> [Int] { [10, 11, 20, 21, 30, 31].map { edition + $0 } }

  func page(_ number: Int) async throws -> Page {
    let (promise, resolver) = Promise<Page, any Error>.makeWithResolver()
    requests.append(number)
    open.append((number, resolver))
    resolver.onRequestCancel { [weak self] resolver in
      self?.cancelled.append(number)
      resolver.cancel()
    }
    if isWarm { answer() }
    return try await promise.value
  }

  func answer() {
    guard let (number, resolver) = open.popLast() else { return }
    if number == 1 { nextEdition += 100 }
    let (edition, page) = (number == 1 ? nextEdition - 100 : number / 100 * 100, number % 100)
    let articles = Self.rows(edition)[(2 * page - 2)..<(2 * page)].map(Article.init)
    resolver.fulfill(with: Page(articles: articles, next: page == 3 ? nil : edition + page + 1))
  }

  func fail() { open.popLast()?.resolver.reject(with: Offline()) }
}
