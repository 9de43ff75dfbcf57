import Overmorrow

// 50 operators in one expression.

func chain() {
  loadUser()
    .map(on: .utility) { $0.age + 1 }
    .flatMap(on: .utility) { loadPage($0) }
    .map(on: .utility) { $0.title }
    .then(on: .main) { note($0) }
    .map(on: .utility) { $0.count }
    .flatMap(on: .utility) { loadPage($0 - 1) }
    .then(on: .main) { page in show(page.count * 2) }
    .flatMap(on: .utility) { loadPage($0.count) }
    .map(on: .utility) { $0.title }
    .then(on: .main) { note($0) }
    .map(on: .utility) { $0.count }
    .flatMap(on: .utility) { loadPage($0 - 1) }
    .then(on: .main) { page in show(page.count * 2) }
    .flatMap(on: .utility) { loadPage($0.count) }
    .map(on: .utility) { $0.title }
    .then(on: .main) { note($0) }
    .map(on: .utility) { $0.count }
    .flatMap(on: .utility) { loadPage($0 - 1) }
    .then(on: .main) { page in show(page.count * 2) }
    .flatMap(on: .utility) { loadPage($0.count) }
    .map(on: .utility) { $0.title }
    .then(on: .main) { note($0) }
    .map(on: .utility) { $0.count }
    .flatMap(on: .utility) { loadPage($0 - 1) }
    .then(on: .main) { page in show(page.count * 2) }
    .flatMap(on: .utility) { loadPage($0.count) }
    .map(on: .utility) { $0.title }
    .then(on: .main) { note($0) }
    .map(on: .utility) { $0.count }
    .flatMap(on: .utility) { loadPage($0 - 1) }
    .then(on: .main) { page in show(page.count * 2) }
    .flatMap(on: .utility) { loadPage($0.count) }
    .map(on: .utility) { $0.title }
    .then(on: .main) { note($0) }
    .map(on: .utility) { $0.count }
    .flatMap(on: .utility) { loadPage($0 - 1) }
    .then(on: .main) { page in show(page.count * 2) }
    .flatMap(on: .utility) { loadPage($0.count) }
    .map(on: .utility) { $0.title }
    .then(on: .main) { note($0) }
    .map(on: .utility) { $0.count }
    .flatMap(on: .utility) { loadPage($0 - 1) }
    .then(on: .main) { page in show(page.count * 2) }
    .flatMap(on: .utility) { loadPage($0.count) }
    .map(on: .utility) { $0.title }
    .then(on: .main) { note($0) }
    .map(on: .utility) { $0.count }
    .flatMap(on: .utility) { loadPage($0 - 1) }
    .catch(on: .main) { report($0) }
    .always(on: .main) { show($0.isCancelled ? 0 : 1) }
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
    .flatMap { loadPage($0.count) }
    .map { $0.title }
    .then { note($0) }
    .map { $0.count }
    .flatMap { loadPage($0 - 1) }
    .then { page in show(page.count * 2) }
    .flatMap { loadPage($0.count) }
    .map { $0.title }
    .then { note($0) }
    .map { $0.count }
    .flatMap { loadPage($0 - 1) }
    .then { page in show(page.count * 2) }
    .flatMap { loadPage($0.count) }
    .map { $0.title }
    .then { note($0) }
    .map { $0.count }
    .flatMap { loadPage($0 - 1) }
    .then { page in show(page.count * 2) }
    .flatMap { loadPage($0.count) }
    .map { $0.title }
    .then { note($0) }
    .map { $0.count }
    .flatMap { loadPage($0 - 1) }
    .then { page in show(page.count * 2) }
    .flatMap { loadPage($0.count) }
    .map { $0.title }
    .then { note($0) }
    .map { $0.count }
    .flatMap { loadPage($0 - 1) }
    .then { page in show(page.count * 2) }
    .flatMap { loadPage($0.count) }
    .map { $0.title }
    .then { note($0) }
    .map { $0.count }
    .flatMap { loadPage($0 - 1) }
    .then { page in show(page.count * 2) }
    .flatMap { loadPage($0.count) }
    .map { $0.title }
    .then { note($0) }
    .map { $0.count }
    .flatMap { loadPage($0 - 1) }
    .catch { report($0) }
    .always { show($0.isCancelled ? 0 : 1) }
}
