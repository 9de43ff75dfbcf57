import Foundation
import FranticApparatus

struct Article {
  let title: String
}

enum DownloadError: Error {
  case notFound(String)
  case noTitle
}

/// A downloader with a fixed set of pages.
final class Downloader {
  private let queue = DispatchQueue(label: "downloads")
  private let pages = ["news": "Rain\nIt rains.", "empty": ""]

  func download(_ name: String) -> Promise<String> {
    return Promise<String> { (fulfill, reject, isCancelled) in
      queue.async { [pages] in
        if isCancelled() { return }
        if let page = pages[name] { fulfill(page) } else { reject(DownloadError.notFound(name)) }
      }
    }
  }
}

/// A screen that retains the promise of its current load.
final class ArticleController {
  private let downloader = Downloader()
  private var promise: Promise<Article>?
  var isDone: () -> Void = {}

  func article(_ name: String) -> Promise<Article> {
    return PromiseMaker.makeUsing(context: self) { (makePromise) in
      makePromise { (context) in
        return context.downloader.download(name)
      }.whenFulfilledThenTransform { (context, page) -> Article in
        guard let title = page.split(separator: "\n").first else { throw DownloadError.noTitle }
        return Article(title: String(title))
      }
    }
  }

  func load(_ name: String) {
    promise = PromiseMaker.makeUsing(context: self) { (makePromise) in
      makePromise { (context) in
        return context.article(name)
      }.whenFulfilled { (context, article) in
        print("\(name): \(article.title)")
      }.whenRejected { (context, reason) in
        print("\(name): \(reason)")
      }.whenComplete { (context) in
        context.promise = nil
        context.isDone()
      }
    }
  }
}

let controller = ArticleController()
var steps: [() -> Void] = [
  { controller.load("news") },
  { controller.load("weather") },
  { controller.load("empty") },
]
controller.isDone = {
  if steps.isEmpty { exit(0) }
  steps.removeFirst()()
}
controller.isDone()

RunLoop.main.run()
