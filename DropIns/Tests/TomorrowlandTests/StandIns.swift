import Tomorrowland

// Stand-ins for the types of UIKit, CoreLocation and networking that the README's samples use.

@MainActor final class UIApplication {
  static let shared = UIApplication()
  var isNetworkActivityIndicatorVisible = false
}

final class UIImage {
  let name: String

  init?(data: Data) {
    guard let name = String(data: data, encoding: .utf8), name.hasPrefix("image") else { return nil }
    self.name = name
  }
}

@MainActor class UIView {
  struct AnimationOptions {
    static let transitionCrossDissolve = AnimationOptions()
  }

  static var durations: [TimeInterval] = []

  static func transition(
    with view: UIView, duration: TimeInterval, options: AnimationOptions, animations: () -> Void
  ) {
    durations.append(duration)
    animations()
  }
}

@MainActor class UIImageView: UIView {
  var image: UIImage?
}

/// A session that answers requests when the test says so.
final class URLSession {
  final class Task {
    private(set) var isResumed = false
    private(set) var isCancelled = false
    private var completionHandler: ((Data?, String?, Error?) -> Void)?

    init(_ completionHandler: @escaping (Data?, String?, Error?) -> Void) { self.completionHandler = completionHandler }

    func resume() { isResumed = true }

    func cancel() {
      isCancelled = true
      complete(nil, URLError(.cancelled))
    }

    func complete(_ data: Data?, _ error: Error?) {
      completionHandler?(data, nil, error)
      completionHandler = nil
    }
  }

  static let shared = URLSession()
  private(set) var tasks: [Task] = []
  var last: Task { tasks.last! }

  func dataTask(with url: URL, completionHandler: @escaping (Data?, String?, Error?) -> Void) -> Task {
    let task = Task(completionHandler)
    tasks.append(task)
    return task
  }

  func dataTaskAsPromise(with url: URL) -> StdPromise<Data> {
    Promise<Data, Error>(
      on: .immediate,
      { (resolver) in
        let task = self.dataTask(
          with: url,
          completionHandler: { (data, response, error) in
            if let data = data {
              resolver.fulfill(with: data)
            } else if case URLError.cancelled? = error {
              resolver.cancel()
            } else {
              resolver.reject(with: error!)
            }
          })
        resolver.onRequestCancel(
          on: .immediate,
          { _ in
            task.cancel()
          })
        task.resume()
      })
  }
}

struct CLError: Error {
  enum Code {
    case network, geocodeCanceled

    static func ~= (code: Code, error: Error) -> Bool { (error as? CLError)?.code == code }
  }

  static let geocodeCanceled = Code.geocodeCanceled
  let code: Code
}

final class CLGeocoder {
  var answer: (String?, Error?) = (nil, nil)

  func reverseGeocodeLocation(_ location: String, completionHandler: @escaping (String?, Error?) -> Void) {
    completionHandler(answer.0, answer.1)
  }
}
