import OvermorrowObservation
import SwiftUI

struct Article: Identifiable, Sendable {
  let id: Int
  let title: String
}

@available(macOS 14, *)
struct ArticleList: View {
  let articles: PromiseLoad<Void, [Article]>

  var body: some View {
    PromiseLoadView(articles) { articles in
      List(articles) { Text($0.title) }
    } placeholder: { phase in
      if case .failed(let error, _) = phase { Text(error.localizedDescription) } else { ProgressView() }
    }
    .task(loading: articles)
    .refreshable(articles)
  }
}

@available(macOS 14, *)
struct ArticleScreen: View {
  let id: Int
  let article: PromiseLoad<Int, Article>

  var body: some View {
    Text(article.value?.title ?? "…")
      .task(loading: id, in: article)
  }
}

struct Feed: Sendable {
  var articles: [Article] = []
  var next: Int? = 1
}

struct Position: Hashable {
  var next: Int?
  var isLoading: Bool
}

@available(macOS 14, *)
@MainActor
final class FeedModel {
  let feed: PromiseLoad<Feed, Feed>
  var list: Feed { feed.value ?? Feed() }

  init(_ load: @escaping @MainActor @Sendable (Feed) async throws -> Feed) { feed = PromiseLoad(load) }

  var position: Position { Position(next: list.next, isLoading: feed.isLoading) }

  func loadNext() {
    if !feed.isLoading, feed.error == nil, list.next != nil { feed.load(list) }
  }

  func refresh() async { await Task { await feed.run(Feed()) }.value }
}

@available(macOS 14, *)
struct FeedEnd: View {
  let model: FeedModel

  var body: some View {
    if model.feed.error != nil {
      Button("Try again") { model.feed.load(model.list) }
    } else if model.list.next != nil {
      ProgressView().task(id: model.position) { model.loadNext() }
    }
  }
}
