import Observation
import Overmorrow
import OvermorrowFlow
import OvermorrowObservation
import OvermorrowTesting
import TestSupport
import Testing

/// The samples and the statements of the guide `ShowingPromises.md`.
@MainActor @Suite(.checkedPromises) struct ObservationGuideTests {
  fileprivate let clock = TestClock()

  @Test("22.3 the search of the guide shows the results of the newest text")
  func search() async {
    let model = SearchModel(service: Service())
    model.text = "s"
    model.text = "swift"
    #expect(model.results.isLoading)
    await until("the results") { model.results.value != nil }
    #expect(model.results.value?.map(\.title) == ["swift"])
  }

  @Test("22.2 handles of the documentation take promises and async closures")
  func samples() async {
    let service = Service()
    func asynchronous() -> PromiseLoad<String, [Article]> {
      let results = PromiseLoad { text in try await service.articles(about: text) }
      return results
    }
    func promised() -> PromiseLoad<String, [Article]> {
      let results = PromiseLoad { text in service.search(text) }
      return results
    }
    let (later, now) = (asynchronous(), promised())
    later.load("swift")
    now.load("swift")
    #expect(later.isLoading && !now.isLoading)
    await until("the results") { !later.isLoading }
    #expect(later.value?.map(\.title) == ["swift"] && now.value?.map(\.title) == ["swift"])
  }

  @Test("22.3 the delay of the guide sends one request")
  func delay() async {
    let (service, clock) = (Service(), clock)
    let results = PromiseLoad<String, [Article]> { text in
      try await clock.sleep(for: .milliseconds(300))
      return try await service.articles(about: text)
    }
    results.keepsPreviousValue = true
    results.load("s")
    results.load("swift")
    await until("one delay") { clock.sleeperCount == 1 }
    await clock.advance(by: .milliseconds(300))
    await until("the results") { results.value != nil }
    #expect(service.requests.entries == ["swift"])
  }

  @Test("22.10 22.12 two views of the guide share a load, and show a set value")
  func twoViews() async {
    let service = Service()
    let articles = PromiseCache<Int, Article, any Error>(timeToLive: .seconds(60), staleTimeToLive: nil)
    let list = PromiseLoad(from: articles) { id in try await service.article(id) }
    let detail = PromiseLoad(from: articles) { id in try await service.article(id) }
    list.load(1)
    detail.load(1)
    await until("both values") { list.value != nil && detail.value != nil }
    #expect(service.requests.entries == ["1"])
    if var article = detail.value {
      article.isRead = true
      articles.setValue(article, for: 1)
    }
    await until("the changes") { list.value?.isRead == true && detail.value?.isRead == true }
    #expect(service.requests.entries == ["1"])
  }

  @Test("22.8 the upload of the guide shows its progress")
  func upload() async {
    let session = Session()
    let upload = PromiseLoad { file in
      let progress = PromiseProgress()
      return (session.upload(file, progress), progress)
    }
    upload.load("picture")
    await until("the progress") { upload.progress?.fraction == 0.5 }
    session.resolver.fulfill()
    await until("the end") { !upload.isLoading }
    #expect(upload.error == nil && upload.value != nil)
  }

  @Test("22.1 the list of the guide hides a deleted row at once")
  func change() {
    let articles = PromiseLoad<Void, [Article]> { Promise<[Article], Never>(fulfilled: [Article(title: "a", id: 1)]) }
    articles.load()
    let isTold = changed(articles) {
      articles.edit { $0.removeAll { $0.id == 1 } }
    }
    #expect(isTold)
    #expect(articles.value?.isEmpty == true)
  }

  private func changed(_ load: PromiseLoad<Void, [Article]>, _ action: () -> Void) -> Bool {
    let told = Recorder<Bool>()
    withObservationTracking {
      _ = load.phase
    } onChange: {
      told.record(true)
    }
    action()
    return told.entries == [true]
  }
}

private struct Article: Identifiable {
  var title = ""
  var id = 0
  var isRead = false
}

private final class Service: Sendable {
  let requests = Recorder<String>()

  func articles(about text: String) async throws -> [Article] {
    requests.record(text)
    return [Article(title: text)]
  }

  func search(_ text: String) -> Promise<[Article], Never> { Promise(fulfilled: [Article(title: text)]) }

  func article(_ id: Int) async throws -> Article {
    requests.record("\(id)")
    return Article(id: id)
  }
}

private final class Session: Sendable {
  let (promise, resolver) = Promise<Void, any Error>.makeWithResolver()

  func upload(_ file: String, _ progress: PromiseProgress) -> Promise<Void, any Error> {
    progress.report(completed: 5, of: 10)
    return promise
  }
}

@MainActor @Observable
private final class SearchModel {
  let results: PromiseLoad<String, [Article]>
  var text = "" {
    didSet { results.load(text) }
  }

  init(service: Service) {
    results = PromiseLoad { text in try await service.articles(about: text) }
  }
}
