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
