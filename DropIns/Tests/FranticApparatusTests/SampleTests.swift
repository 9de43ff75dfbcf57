import FranticApparatus
import XCTest

// The samples of FranticApparatus's README, with stand-ins for the views and the network. The functions that the
// samples assume (`fetchImage`, `showImage`, …) are defined here.

private struct UIImage: Equatable {
  let name: String
}

private struct DataModel: Equatable {
  let title: String
}

private enum Part {
  case image(UIImage)
  case model(DataModel)
}

private enum NetworkError: Error {
  case unexpectedData(Data)
  case notFound(URL)
}

private let queue = DispatchQueue(label: "parsing")

/// A screen that retains the promise of a load while it runs.
private final class Screen {
  var promise: AnyObject?
  private(set) var events: [String] = []
  /// The pages that can be loaded.
  var pages: [URL: Data] = [:]
  /// The network work that has not run yet.
  var waiting: [() -> Void] = []
  let finished = XCTestExpectation(description: "the chain has ended")

  func showActivityIndicator() { events.append("busy") }
  func hideActivityIndicator() {
    events.append("idle")
    finished.fulfill()
  }
  func showImage(_ image: UIImage) { events.append("image \(image.name)") }
  func showPlaceholderImage() { events.append("placeholder") }
  func processData(_ data: [Data]) {
    events.append(data.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "+"))
  }
  func showError(_ reason: Error) { events.append("error \(reason)") }
  func displayDataModel(_ model: DataModel) { events.append("model \(model.title)") }
  func displayError(_ reason: Error) { events.append("error \(reason)") }
  func displayValue(_ value: String) { events.append("value \(value)") }

  func download(_ url: URL) -> Promise<Data> {
    Promise<Data> { (fulfill, reject, isCancelled) in
      let data = self.pages[url]
      self.waiting.append { if let data { fulfill(data) } else { reject(NetworkError.notFound(url)) } }
    }
  }

  func fetchURL(_ url: URL) -> Promise<Data> { download(url) }

  func fetchImage(at url: URL) -> Promise<UIImage> {
    download(url).whenFulfilledThenTransform(on: GCDDispatcher.main) {
      UIImage(name: String(decoding: $0, as: UTF8.self))
    }
  }

  func promiseSomething() -> Promise<String> {
    fetchImage(at: URL(string: "a")!).whenFulfilledThenTransform(on: GCDDispatcher.main) { $0.name }
  }

  // "A promise that parse JSON data on a background queue."
  func parseJSONData(_ data: Data) -> Promise<NSDictionary> {
    return Promise<NSDictionary> { (fulfill, reject, isCancelled) in
      queue.async {
        do {
          let object = try JSONSerialization.jsonObject(with: data, options: [])

          if let dictionary = object as? NSDictionary {
            fulfill(dictionary)
          } else {
            reject(NetworkError.unexpectedData(data))
          }
        } catch {
          reject(error)
        }
      }
    }
  }

  func mapDataModel(_ json: NSDictionary) -> Promise<DataModel> {
    Promise { fulfill, _, _ in fulfill(DataModel(title: json["title"] as? String ?? "untitled")) }
  }

  func fetch(url: URL) -> Promise<DataModel> {
    return PromiseMaker.makeUsing(dispatcher: GCDDispatcher.main, context: self) { (makePromise) in
      makePromise { (context) in
        return context.download(url)
      }.whenFulfilledThenPromise { (context, data) in
        return context.parseJSONData(data)
      }.whenFulfilledThenPromise { (context, json) in
        return context.mapDataModel(json)
      }
    }
  }

  func loadImage(at url: URL) {
    self.promise = PromiseMaker.makeUsing(context: self) { (makePromise) in
      makePromise { (context) -> Promise<UIImage> in
        context.showActivityIndicator()
        return context.fetchImage(at: url)
      }.whenFulfilled { (context, image) in
        context.showImage(image)
      }.whenRejected { (context, reason) in
        context.showPlaceholderImage()
      }.whenComplete { (context) in
        context.hideActivityIndicator()
        context.promise = nil
      }
    }
  }

  func loadAll(_ urls: [URL]) {
    self.promise = PromiseMaker.makeUsing(context: self) { (makePromise) in
      makePromise { (context) -> Promise<[Data]> in
        context.showActivityIndicator()
        let promises = urls.map({ context.fetchURL($0) })
        return all(promises)
      }.whenFulfilled { (context, dataArray) in
        context.processData(dataArray)
      }.whenRejected { (context, reason) in
        context.showError(reason)
      }.whenComplete { (context) in
        context.hideActivityIndicator()
        context.promise = nil
      }
    }
  }

  func loadModel(at url: URL) {
    self.promise = PromiseMaker.makeUsing(context: self) { (makePromise) in
      makePromise { (context) in
        context.showActivityIndicator()
        return context.fetch(url: url)
      }.whenFulfilled { (context, dataModel) in
        context.displayDataModel(dataModel)
      }.whenRejected { (context, reason) in
        context.displayError(reason)
      }.whenComplete { (context) in
        context.hideActivityIndicator()
        context.promise = nil
      }
    }
  }

  // "Parallel promises with differing value types."
  func loadPage(at url: URL, imageAt imageURL: URL) {
    let imagePromise = PromiseMaker.makeUsing(context: self) { (makePromise) in
      makePromise { (context) -> Promise<UIImage> in
        context.fetchImage(at: imageURL)
      }.whenFulfilledThenTransform { (context, image) -> Part in
        return .image(image)
      }
    }
    let modelPromise = PromiseMaker.makeUsing(context: self) { (makePromise) in
      makePromise { (context) -> Promise<DataModel> in
        context.fetch(url: url)
      }.whenFulfilledThenTransform { (context, model) -> Part in
        return .model(model)
      }
    }
    self.promise = PromiseMaker.makeUsing(context: self) { (makePromise) in
      makePromise { (context) -> Promise<[String: Part]> in
        context.showActivityIndicator()
        return all(["image": imagePromise, "model": modelPromise])
      }.whenFulfilledThenTransform { (context, parts) -> String in
        guard case .image(let image)? = parts["image"], case .model(let model)? = parts["model"] else {
          fatalError("Programmer Error: If this happens a promise was created incorrectly")
        }
        return "\(model.title) with \(image.name)"
      }.whenFulfilled { (context, page) in
        context.displayValue(page)
      }.whenComplete { (context) in
        context.hideActivityIndicator()
        context.promise = nil
      }
    }
  }
}

final class SampleTests: XCTestCase {
  private let a = URL(string: "a")!, b = URL(string: "b")!

  func testScreenShowsTheResultOrTheError() {
    let c = URL(string: "c")!
    let screens: [(a: String, load: (Screen) -> Void, shows: String)] = [
      ("A", { $0.loadImage(at: self.a) }, "image A"), ("A", { $0.loadImage(at: c) }, "placeholder"),
      ("A", { $0.loadAll([self.a, self.b]) }, "A+B"), ("A", { $0.loadAll([self.a, c]) }, "error notFound(c)"),
      (#"{"title": "news"}"#, { $0.loadModel(at: self.a) }, "model news"),
      ("[1]", { $0.loadModel(at: self.a) }, "error unexpectedData(3 bytes)"),
      (#"{"title": "news"}"#, { $0.loadPage(at: self.a, imageAt: self.b) }, "value news with B"),
    ]
    for (data, load, shows) in screens {
      let screen = Screen()
      screen.pages = [a: Data(data.utf8), b: Data("B".utf8)]
      load(screen)
      XCTAssertEqual(screen.events, ["busy"], shows)
      for work in screen.waiting { work() }
      wait(for: [screen.finished], timeout: 60)
      XCTAssertNil(screen.promise, shows)
      XCTAssertEqual(screen.events, ["busy", shows, "idle"])
    }
  }

  func testReleasedScreenReceivesNoCallback() {
    var gone: Screen? = Screen()
    gone!.pages = [a: Data("A".utf8)]
    gone!.loadImage(at: a)
    weak let watched = gone
    let work = gone!.waiting
    gone!.waiting = []
    gone = nil
    XCTAssertNil(watched, "the chain keeps it")
    for each in work { each() }
  }

  // The three ways to write one chain.

  private func checkSomething(_ start: (Screen) -> Void) {
    let screen = Screen()
    screen.pages = [a: Data("A".utf8)]
    start(screen)
    XCTAssertNotNil(screen.promise)
    for work in screen.waiting { work() }
    let done = expectation(description: "the promise is forgotten")
    func poll() { if screen.promise == nil { done.fulfill() } else { DispatchQueue.main.async { poll() } } }
    poll()
    wait(for: [done], timeout: 60)
    XCTAssertEqual(screen.events, ["value A"])
  }

  func testThenFormsTheChain() {
    checkSomething { screen in
      screen.promise = screen.promiseSomething().then(
        on: GCDDispatcher.main,
        onFulfilled: { [weak screen] (value) -> FranticApparatus.Result<String> in
          guard let strongSelf = screen else { throw PromiseError.contextDeallocated }

          strongSelf.displayValue(value)
          return .value(value)  // Manually continue the chain
        },
        onRejected: { [weak screen] (reason) in
          guard let strongSelf = screen else { throw PromiseError.contextDeallocated }

          strongSelf.displayError(reason)
          throw reason  // Manually continue the chain
        }
      ).then(
        on: GCDDispatcher.main,
        onFulfilled: { [weak screen] (value) -> FranticApparatus.Result<String> in
          guard let strongSelf = screen else { throw PromiseError.contextDeallocated }

          strongSelf.promise = nil
          return .value(value)  // Manually continue the chain
        },
        onRejected: { [weak screen] (reason) in
          guard let strongSelf = screen else { throw PromiseError.contextDeallocated }

          strongSelf.promise = nil
          throw reason  // Manually continue the chain
        }
      )
    }
  }

  func testHelpersFormTheSameChain() {
    checkSomething { screen in
      screen.promise = screen.promiseSomething().whenFulfilled(on: GCDDispatcher.main) { [weak screen] (value) in
        guard let strongSelf = screen else { throw PromiseError.contextDeallocated }

        strongSelf.displayValue(value)
      }.whenRejected(on: GCDDispatcher.main) { [weak screen] (reason) in
        guard let strongSelf = screen else { throw PromiseError.contextDeallocated }

        strongSelf.displayError(reason)
      }.whenComplete(on: GCDDispatcher.main) { [weak screen] in
        guard let strongSelf = screen else { return }

        strongSelf.promise = nil
      }
    }
  }

  func testPromiseMakerFormsTheSameChain() {
    checkSomething { screen in
      screen.promise = PromiseMaker.makeUsing(context: screen) { (makePromise) in
        makePromise { (context) in
          return context.promiseSomething()
        }.whenFulfilled { (context, value) in
          context.displayValue(value)
        }.whenRejected { (context, reason) in
          context.displayError(reason)
        }.whenComplete { (context) in
          context.promise = nil
        }
      }
    }
  }
}
