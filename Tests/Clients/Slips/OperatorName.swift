import Overmorrow

// A misspelt operator. The contexts of this and the following operators then have no type, which the compiler also
// reports.

func chain() {
  loadUser()
    .map(on: .utility) { $0.age + 1 }
    .flatMap(on: .utility) { loadPage($0) }
    .map(on: .utility) { $0.title }
    .then(on: .main) { note($0) }
    .mpa(  // error: value of type 'Promise<String, any Error>' has no member 'mpa'
      on: .utility  // error: cannot infer contextual base in reference
    ) { $0.count }
    .flatMap(on: .utility) { loadPage($0 - 1) }  // error: cannot infer contextual base in reference
    .then(on: .main) { page in show(page.count * 2) }  // error: cannot infer contextual base in reference
    .catch(on: .main) { report($0) }  // error: cannot infer contextual base in reference
    .always(on: .main) { show($0.isCancelled ? 0 : 1) }  // error: cannot infer contextual base in reference
}

func chainWithoutContexts() {
  loadUser()
    .map { $0.age + 1 }
    .flatMap { loadPage($0) }
    .map { $0.title }
    .then { note($0) }
    .mpa { $0.count }  // error: value of type 'Promise<String, any Error>' has no member 'mpa'
    .flatMap { loadPage($0 - 1) }
    .then { page in show(page.count * 2) }
    .catch { report($0) }
    .always { show($0.isCancelled ? 0 : 1) }
}
