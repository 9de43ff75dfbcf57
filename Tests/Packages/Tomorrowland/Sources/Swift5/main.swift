import Foundation
import Tomorrowland

functions()
references()
moreReferences()
identities()

struct User: Codable, Equatable {
  let id: Int
  let name: String
}

enum LoadError: Error {
  case noSuchUser(Int)
}

/// Loads users, each once.
final class UserStore {
  private let queue = DispatchQueue(label: "store")
  private var loads: [Int: StdPromise<User>] = [:]
  private(set) var count = 0

  func user(_ id: Int) -> StdPromise<User> {
    if let load = loads[id] { return load.makeChild() }
    count += 1
    let load = StdPromise<User>(
      on: .queue(queue),
      { (resolver) in
        guard id > 0 else { throw LoadError.noSuchUser(id) }
        resolver.fulfill(with: User(id: id, name: "user \(id)"))
      })
    loads[id] = load
    return load
  }
}

/// Shows what it is told to, unless something else has been asked for since.
final class Screen {
  private let token = PromiseInvalidationToken()
  private(set) var title = ""

  func show(_ user: StdPromise<User>) -> StdPromise<User> {
    token.invalidate()
    return user.then(
      token: token,
      { [weak self] (user) in
        self?.title = user.name
      }
    ).requestCancelOnInvalidate(token)
  }
}

let store = UserStore()
let screen = Screen()

func sum(of ids: [Int]) -> StdPromise<Int> {
  return when(fulfilled: ids.map(store.user), qos: .utility)
    .tryMap(on: .utility, { (users) -> Int in users.reduce(0, { $0 + $1.id }) })
}

/// Work that nobody finishes: a promise whose resolver goes would be cancelled.
var resolvers: [StdPromise<User>.Resolver] = []

func hanging() -> StdPromise<User> {
  let (promise, resolver) = StdPromise<User>.makeWithResolver()
  resolver.onRequestCancel(on: .immediate, { (resolver) in resolver.cancel() })
  resolvers.append(resolver)
  return promise
}

let abandoned = screen.show(hanging())

func showNumber() -> StdPromise<Int> {
  let number = Promise<Int, NoError>(fulfilled: 20).map(on: .utility, { $0 + 1 })
  return number.upcast.flatMap(
    on: .utility,
    { (number) in
      StdPromise<Int>(fulfilled: number).delay(on: .utility, 0.001).map(on: .immediate, { $0 * 2 })
    }
  ).then({ (number) in
    print("the number is \(number), on the main thread: \(Thread.isMainThread)")
  })
}

func showSum() -> StdPromise<Int> {
  return sum(of: [1, 2, 2]).then({ (total) in
    print("the sum is \(total), of \(store.count) loads")
  })
}

func showNobody() -> StdPromise<User> {
  return store.user(-1).then({ (user) in
    print("there is a \(user)")
  }).recover(
    on: .main,
    { (error) -> User in
      print("recovered from \(error)")
      return User(id: 0, name: "nobody")
    }
  ).upcast
}

showNumber().flatMap(
  on: .main,
  { (_) in
    showSum()
  }
).tryFlatMap(
  on: .main,
  { (_) -> StdPromise<User> in
    showNobody()
  }
).flatMap(
  on: .main,
  { (user) in
    screen.show(StdPromise(fulfilled: user))
  }
).flatMap(
  on: .main,
  { (_) in
    hanging().timeout(on: .main, delay: 0.01)
  }
).catch(
  on: .main,
  { (error) in
    if case PromiseTimeoutError<Error>.timedOut = error { print("too late") } else { print("not a timeout: \(error)") }
  }
).always(
  on: .main,
  { (_) in
    print("the screen shows \(screen.title)")
    print("what it was to show before is cancelled: \(abandoned.result?.isCancelled == true)")
    exit(0)
  })

RunLoop.main.run()
