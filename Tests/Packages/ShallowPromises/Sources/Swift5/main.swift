import Foundation
import ShallowPromises

struct User: Codable {
  let name: String
}

struct Favorite {
  let title: String
}

/// A network task that only records its cancellation.
final class NetworkTask: Cancellable {
  private(set) var isCancelled = false

  func cancel() { isCancelled = true }
}

final class Service {
  private let queue = DispatchQueue(label: "network")
  private(set) var tasks: [NetworkTask] = []

  func requestUser(_ json: String) -> Promise<User> {
    let promise = Promise<User>()
    queue.async {
      do {
        promise.fulfill(with: try JSONDecoder().decode(User.self, from: Data(json.utf8)), in: .main)
      } catch {
        promise.complete(with: error, in: .main)
      }
    }
    return promise
  }

  func requestFavorites(of user: User) -> Promise<[Favorite]> {
    let promise = Promise<[Favorite]>()
    queue.async { promise.fulfill(with: [Favorite(title: "the book of \(user.name)")]) }
    return promise
  }

  func requestForever() -> Promise<User> {
    let task = NetworkTask()
    tasks.append(task)
    return Promise<User>(littlePromise: task)
  }
}

/// A subclass of an application.
final class LoggedPromise: Promise<Int> {
  func log() -> Self { onSuccess { print("logged \($0)") } }
}

let service = Service()

func second() {
  let promise = service.requestForever()
    .onError { print("failed: \($0)") }
  let proxy = promise.proxy().onError { print("the proxy failed: \($0)") }
  proxy.cancel()
  print("the task is cancelled: \(service.tasks[0].isCancelled)")
  promise.cancel()
  print("the task is cancelled: \(service.tasks[0].isCancelled)")
  LoggedPromise().log().fulfill(with: 7)
  exit(0)
}

service.requestUser(#"{"name": "Ada"}"#)
  .then(service.requestFavorites(of:))
  .onSuccess(in: .main) { print($0[0].title, "on the main thread:", Thread.isMainThread) }
  .onError { print("failed: \($0)") }
  .finally(in: .main, second)

RunLoop.main.run()
