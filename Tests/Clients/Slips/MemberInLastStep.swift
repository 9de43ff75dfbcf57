import Overmorrow

// A misspelt member in the last of nine steps.

func chain() {
  loadUser()
    .map(on: .utility) { $0.age + 1 }
    .flatMap(on: .utility) { loadPage($0) }
    .map(on: .utility) { $0.title }
    .then(on: .main) { note($0) }
    .map(on: .utility) { $0.count }
    .flatMap(on: .utility) { loadPage($0 - 1) }
    .then(on: .main) { page in show(page.count * 2) }
    .catch(on: .main) { report($0) }
    .always(on: .main) { show($0.isCanceled ? 0 : 1) }  // error: value of type 'PromiseResult<Page, any Error>' has no
}

func chainWithoutContexts() {
  loadUser()
    .map { $0.age + 1 }
    .flatMap { loadPage($0) }
    .map { $0.title }
    .then { note($0) }
    .map { $0.count }
    .flatMap { loadPage($0 - 1) }
    .then { page in show(page.count * 2) }
    .catch { report($0) }
    .always { show($0.isCanceled ? 0 : 1) }  // error: value of type 'PromiseResult<Page, any Error>' has no member
}
