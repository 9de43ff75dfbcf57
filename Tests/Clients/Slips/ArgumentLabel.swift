import Overmorrow

// A wrong label. The compiler names a superfluous label. If the label of the context is wrong, the compiler takes the
// context for the closure, and reports that.

func chain() {
  loadUser()
    .map(on: .utility) { $0.age + 1 }
    .flatMap(on: .utility) { loadPage($0) }
    .map(on: .utility) { $0.title }
    .then(on: .main) { note($0) }
    .map(
      at: .utility  // error: type '@isolated(any) @Sendable (String) throws -> Int' has no member 'utility'
    ) { $0.count }  // error: extra trailing closure passed in call
    .flatMap(on: .utility) { loadPage($0 - 1) }
    .then(on: .main) { page in show(page.count * 2) }
    .catch(on: .main) { report($0) }
    .always(on: .main) { show($0.isCancelled ? 0 : 1) }
}

func chainWithTimeout() {
  loadUser()
    .map { $0.age + 1 }
    .flatMap { loadPage($0) }
    .map { $0.title }
    .then { note($0) }
    .map { $0.count }
    .timeout(after: .seconds(3))  // error: extraneous argument label 'after:' in call
    .flatMap { loadPage($0 - 1) }
    .then { page in show(page.count * 2) }
    .catch { report($0) }
}
