import Overmorrow

// A misspelt function.

func chainWithoutContexts() {
  loadUser()
    .map { $0.age + 1 }
    .flatMap { loadPage($0) }
    .map { $0.title }
    .then { note($0) }
    .map { $0.count }
    .flatMap { laodPage($0 - 1) }  // error: cannot find 'laodPage' in scope
    .then { page in show(page.count * 2) }  // error: cannot infer type of closure parameter 'page' without a type
    .catch { report($0) }
    .always { show($0.isCancelled ? 0 : 1) }
}
