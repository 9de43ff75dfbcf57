import Overmorrow

// A capture that is not Sendable.

func chain(cart: Cart) {
  loadUser()
    .map(on: .utility) { $0.age + 1 }
    .flatMap(on: .utility) { loadPage($0) }
    .map(on: .utility) { $0.title }
    .then(on: .main) { note($0) }
    .map(on: .utility) { $0.count }
    .flatMap(on: .utility) { loadPage($0 - 1) }
    .then(on: .main) { page in cart.items += page.count * 2 }  // error: capture of 'cart' with non-Sendable type 'Cart'
    .catch(on: .main) { report($0) }
    .always(on: .main) { show($0.isCancelled ? 0 : 1) }
}

func chainWithoutContexts(cart: Cart) {
  loadUser()
    .map { $0.age + 1 }
    .flatMap { loadPage($0) }
    .map { $0.title }
    .then { note($0) }
    .map { $0.count }
    .flatMap { loadPage($0 - 1) }
    .then { page in cart.items += page.count * 2 }  // error: capture of 'cart' with non-Sendable type 'Cart'
    .catch { report($0) }
    .always { show($0.isCancelled ? 0 : 1) }
}
