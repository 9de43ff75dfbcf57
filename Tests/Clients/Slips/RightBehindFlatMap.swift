import Overmorrow

// A misspelt member in one of the two steps right behind a `flatMap` is reported on the line of the `flatMap`: the
// compiler gives up on the closure in front, as it does with `Result` and `Optional`.

func chain() {
  loadUser()
    .map(on: .utility) { $0.age + 1 }
    .flatMap(on: .utility) { loadPage($0) }  // error: cannot convert value of type 'Promise<Page, any Error>' to
    .map(on: .utility) { $0.titel }  // error: cannot infer type of closure parameter '$0' without a type annotation
    .then(on: .main) { note($0) }
    .map(on: .utility) { $0.count }
    .flatMap(on: .utility) { loadPage($0 - 1) }
    .then(on: .main) { page in show(page.count * 2) }
    .catch(on: .main) { report($0) }
    .always(on: .main) { show($0.isCancelled ? 0 : 1) }
}
