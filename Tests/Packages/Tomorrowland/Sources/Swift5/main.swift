import Foundation
import Tomorrowland

functions()
references()
moreReferences()
identities()

struct User {
  let name: String
}

/// Shows a title, unless another one has been requested since.
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

let screen = Screen()

/// Resolvers of unfinished work. They are retained because releasing a resolver would cancel its promise.
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

showNumber().flatMap(
  on: .main,
  { (number) in
    screen.show(StdPromise(fulfilled: User(name: "user \(number)")))
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
