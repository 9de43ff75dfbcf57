import Overmorrow

// As in RightBehindFlatMap.swift: the second step behind a `flatMap`.

func chainWithoutContexts() {
  loadUser()
    .map { $0.age + 1 }
    .flatMap { loadPage($0) }  // error: cannot convert value of type 'Promise<Page, any Error>' to closure result type
    .map { $0.title }  // error: cannot infer type of closure parameter '$0' without a type annotation
    .then { note($0.cuont) }  // error: cannot infer type of closure parameter '$0' without a type annotation
    .map { $0.count }
    .flatMap { loadPage($0 - 1) }
    .then { page in show(page.count * 2) }
    .catch { report($0) }
    .always { show($0.isCancelled ? 0 : 1) }
}
