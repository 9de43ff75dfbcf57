import Overmorrow

// A thrown error whose type is not the chain's failure type.

func chain(_ pages: Promise<Page, Outage>) {
  pages
    .map(on: .utility) { $0.count + 1 }
    .then(on: .main) { show($0 * 2) }
    .map(on: .utility) { _ throws(Outage) in throw CancellationError() }  // error: thrown expression type
    .map(on: .utility) { (count: Int) in count - 1 }
    .catch(on: .main) { report($0) }
}

func chainWithoutContexts(_ pages: Promise<Page, Outage>) {
  pages
    .map { $0.count + 1 }
    .then { show($0 * 2) }
    .map { _ throws(Outage) -> Int in throw CancellationError() }  // error: thrown expression type 'CancellationError'
    .map { (count: Int) in count - 1 }
    .catch { report($0) }
}
