import Overmorrow

// Arithmetic is expensive: each closure with arithmetic before a mistake multiplies the work of the type checker by
// about ten, as it does with plain arrays.

func chain() {
  loadUser()
    .map(on: .utility) { $0.age + 1 }
    .flatMap(on: .utility) { loadPage($0) }
    .map(on: .utility) { $0.title }
    .then(on: .main) { note($0) }
    .map(on: .utility) { $0.count - 1 }
    .flatMap(on: .utility) { loadPage($0) }
    .then(on: .main) { page in show(page.count) }
    .catch(on: .main) { report($0) }
    .always(on: .main) { show($0.isCanceled ? 0 : 1) }  // error: value of type 'PromiseResult<Page, any Error>' has no
}
