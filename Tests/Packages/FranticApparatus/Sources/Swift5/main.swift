import Foundation
import FranticApparatus

struct Article {
  let title: String
}

enum DownloadError: Error {
  case notFound(String)
  case noTitle
}

/// Downloads what it has.
final class Downloader {
  private let queue = DispatchQueue(label: "downloads")
  private let pages = ["news": "Rain\nIt rains.", "sport": "Goal\nIt is in.", "empty": ""]

  func download(_ name: String) -> Promise<String> {
    return Promise<String> { (fulfill, reject, isCancelled) in
      queue.async { [pages] in
        if isCancelled() { return }
        if let page = pages[name] { fulfill(page) } else { reject(DownloadError.notFound(name)) }
      }
    }
  }
}

/// A screen that keeps the promise of what it is loading.
final class ArticleController {
  private let downloader = Downloader()
  private var promise: Promise<Article>?
  private var all: Promise<[Article]>?
  private var some: Promise<AnyResult<String, Article>>?
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

  func loadAll(_ names: [String]) {
    all = PromiseMaker.makeUsing(context: self) { (makePromise) in
      makePromise { (context) -> Promise<[Article]> in
        return FranticApparatus.all(names.map({ context.article($0) }))
      }.whenFulfilled { (context, articles) in
        print("all: \(articles.map({ $0.title }))")
      }.whenRejected { (context, reason) in
        print("all: \(reason)")
      }.whenComplete { (context) in
        context.all = nil
        context.isDone()
      }
    }
  }

  func loadSome(_ names: [String]) {
    var promises: [String: Promise<Article>] = [:]
    for name in names { promises[name] = article(name) }
    some = any(promises).whenFulfilled(on: GCDDispatcher.main) { (result) in
      print("some: \(result.values.keys.sorted()), but not \(result.reasons.keys.sorted())")
    }.whenComplete(on: GCDDispatcher.main) { [weak self] in
      self?.some = nil
      self?.isDone()
    }
  }
}

let controller = ArticleController()
var steps: [() -> Void] = [
  { controller.load("news") },
  { controller.load("weather") },
  { controller.load("empty") },
  { controller.loadAll(["sport", "news"]) },
  { controller.loadAll(["sport", "weather"]) },
  { controller.loadSome(["sport", "weather"]) },
]
controller.isDone = {
  if steps.isEmpty { exit(0) }
  steps.removeFirst()()
}
controller.isDone()

RunLoop.main.run()
