import Foundation
import Tomorrowland

functions()
references()
moreReferences()
identities()

/// A main-actor controller whose callbacks need no annotation.
@MainActor final class Controller {
  private let token = PromiseInvalidationToken()
  private(set) var shown: [String] = []

  func load() -> StdPromise<String> {
    StdPromise<String>(
      on: .utility,
      { (resolver) in
        resolver.fulfill(with: "page")
      }
    ).then(
      token: token,
      { [weak self] (page) in
        self?.shown.append(page)
      })
  }
}

let controller = Controller()

controller.load().tryMap(
  on: .utility,
  { (page) -> Int in
    page.count
  }
).then({ (count) in
  print("shown: \(controller.shown), \(count) characters")
}).always({ (_) in
  exit(0)
})

RunLoop.main.run()
