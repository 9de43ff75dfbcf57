import Overmorrow

/// Chains that go on as long as somebody holds their end.
func owning(_ promise: Promise<Int, String>, account: Account) {
  let chain = promise.owned()
  var hasher = Hasher()
  chain.hash(into: &hasher)
  _ = chain.then(on: .utility) { value in print(value) }
  _ = chain.catch(on: .utility) { error in print(error) }
  _ = chain.always(on: .utility) { result in print(result) }
  _ = chain.tap(on: .utility) { result in print(result) }
  _ = chain.onCancel(on: .utility) { print("cancelled") }
  _ = chain.map(on: .utility) { value in value + 1 }
  _ = chain.flatMap(on: .utility) { value in Promise(fulfilled: value + 1) }
  _ = chain.mapError(on: .utility) { error in error.count }
  _ = chain.flatMapError(on: .utility) { error in Promise<Int, Bool>(rejected: error.isEmpty) }
  _ = chain.mapResult(on: .utility) { result in result }
  _ = chain.flatMapResult(on: .utility) { result in Promise(with: result) }
  _ = chain.recover(on: .utility) { error in error.count }
  _ = chain.then(at: .here) { value in print(value) }
  _ = chain.catch(at: .here) { error in print(error) }
  _ = chain.always(at: .here) { result in print(result) }
  _ = chain.tap(at: .here) { result in print(result) }
  _ = chain.onCancel(at: .here) { print("cancelled") }
  _ = chain.map(at: .here) { value in value + 1 }
  _ = chain.flatMap(at: .here) { value in Promise(fulfilled: value + 1) }
  _ = chain.mapError(at: .here) { error in error.count }
  _ = chain.flatMapError(at: .here) { error in Promise<Int, Bool>(rejected: error.isEmpty) }
  _ = chain.mapResult(at: .here) { result in result }
  _ = chain.flatMapResult(at: .here) { result in Promise(with: result) }
  _ = chain.recover(at: .here) { error in error.count }
  print(
    chain.inner, chain.result ?? .cancelled, chain == chain, Set([chain]).count, chain.tap(), chain.ignoringCancel())
  _ = chain.flatMapOwned(on: .utility) { Promise(fulfilled: $0).owned() }
  _ = chain.flatMapResultOwned(on: .utility) { Promise(with: $0).owned() }
  chain.requestCancel()
}

/// The same, with callbacks that throw.
func throwing(owned promise: Promise<Int, LoadError>) {
  let chain = promise.owned()
  _ = chain.then(on: .utility) { (value) throws(LoadError) in if value > 3 { throw .stale(value) } }
  _ = chain.map(on: .utility) { (value) throws(LoadError) -> Int in
    if value > 3 { throw .stale(value) } else { return value }
  }
  _ = chain.flatMap(on: .utility) { (_) throws(LoadError) -> Promise<Int, LoadError> in throw .offline }
  _ = chain.mapError(on: .utility) { (error) throws(LoadError) -> LoadError in throw error }
  _ = chain.flatMapError(on: .utility) { (error) throws(LoadError) -> Promise<Int, LoadError> in throw error }
  _ = chain.recover(on: .utility) { (error) throws(LoadError) -> Int in throw error }
  _ = chain.mapResult(on: .utility) { (_) throws(LoadError) -> PromiseResult<Int, LoadError> in throw .offline }
  _ = chain.flatMapResult(on: .utility) { (_) throws(LoadError) -> Promise<Int, LoadError> in throw .offline }
  _ = chain.then(at: .here) { (value) throws(LoadError) in if value > 3 { throw .stale(value) } }
  _ = chain.map(at: .here) { (value) throws(LoadError) -> Int in
    if value > 3 { throw .stale(value) } else { return value }
  }
  _ = chain.flatMap(at: .here) { (_) throws(LoadError) -> Promise<Int, LoadError> in throw .offline }
  _ = chain.mapError(at: .here) { (error) throws(LoadError) -> LoadError in throw error }
  _ = chain.flatMapError(at: .here) { (error) throws(LoadError) -> Promise<Int, LoadError> in throw error }
  _ = chain.recover(at: .here) { (error) throws(LoadError) -> Int in throw error }
  _ = chain.mapResult(at: .here) { (_) throws(LoadError) -> PromiseResult<Int, LoadError> in throw .offline }
  _ = chain.flatMapResult(at: .here) { (_) throws(LoadError) -> Promise<Int, LoadError> in throw .offline }
  print(chain.upcast)
  _ = chain.flatMapOwned(on: .utility) { value throws(LoadError) -> OwnedPromise<Int, LoadError> in throw .stale(value)
  }
  _ = chain.flatMapResultOwned(on: .utility) { _ throws(LoadError) -> OwnedPromise<Int, LoadError> in throw .offline }
}

/// The same, on an actor.
func owning(_ promise: Promise<Int, String>, on account: Account) {
  let chain = promise.owned()
  _ = chain.then(onActor: account) { _, value in print(value) }
  _ = chain.catch(onActor: account) { _, error in print(error) }
  _ = chain.always(onActor: account) { _, result in print(result) }
  _ = chain.tap(onActor: account) { _, result in print(result) }
  _ = chain.onCancel(onActor: account) { _ in print("cancelled") }
  _ = chain.map(onActor: account) { _, value in value + 1 }
  _ = chain.flatMap(onActor: account) { _, value in Promise(fulfilled: value + 1) }
  _ = chain.mapError(onActor: account) { _, error in error.count }
  _ = chain.flatMapError(onActor: account) { _, error in Promise<Int, Bool>(rejected: error.isEmpty) }
  _ = chain.mapResult(onActor: account) { _, result in result }
  _ = chain.flatMapResult(onActor: account) { _, result in Promise(with: result) }
  _ = chain.recover(onActor: account) { _, error in error.count }
}

/// The same, on an actor, with callbacks that throw.
func throwing(owned promise: Promise<Int, LoadError>, on account: Account) {
  let chain = promise.owned()
  _ = chain.then(onActor: account) { (_, value) throws(LoadError) in if value > 3 { throw .stale(value) } }
  _ = chain.map(onActor: account) { (_, value) throws(LoadError) -> Int in
    if value > 3 { throw .stale(value) } else { return value }
  }
  _ = chain.flatMap(onActor: account) { (_, _) throws(LoadError) -> Promise<Int, LoadError> in throw .offline }
  _ = chain.mapError(onActor: account) { (_, error) throws(LoadError) -> LoadError in throw error }
  _ = chain.flatMapError(onActor: account) { (_, error) throws(LoadError) -> Promise<Int, LoadError> in throw error }
  _ = chain.recover(onActor: account) { (_, error) throws(LoadError) -> Int in throw error }
  _ = chain.mapResult(onActor: account) { (_, _) throws(LoadError) -> PromiseResult<Int, LoadError> in throw .offline }
  _ = chain.flatMapResult(onActor: account) { (_, _) throws(LoadError) -> Promise<Int, LoadError> in throw .offline }
}

/// Threads that are blocked.
func waiting(_ promise: Promise<Int, LoadError>, plain: Promise<Int, String>) throws {
  print(try promise.wait(), try promise.wait(timeout: .seconds(3)))
  do throws(PromiseWaitError) {
    print(try plain.waitForResult(), try plain.waitForResult(timeout: .seconds(3)) ?? .cancelled)
  } catch {
    switch error {
    case .timedOut, .deadlock: print(error.description, [PromiseWaitError.timedOut, PromiseWaitError.deadlock])
    }
  }
}
