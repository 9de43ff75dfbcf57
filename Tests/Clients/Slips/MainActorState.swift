import Overmorrow

// State of the main actor in a closure for `on: .main`, which the compiler does not treat as isolated to the main
// actor. Without a context, the closure has the isolation of the code around it, and compiles.

@MainActor
final class Screen {
  private var count = 0

  func load() {
    loadUser()
      .map(on: .utility) { $0.age + 1 }
      .flatMap(on: .utility) { loadPage($0) }
      .map(on: .utility) { $0.title }
      .then(on: .utility) { note($0) }
      .map(on: .utility) { $0.count }
      .flatMap(on: .utility) { loadPage($0 - 1) }
      .then(on: .main) { page in self.count = page.count * 2 }  // error: main actor-isolated property 'count' can not
      .catch(on: .main) { report($0) }
      .always(on: .main) { show($0.isCancelled ? 0 : 1) }
  }
}
