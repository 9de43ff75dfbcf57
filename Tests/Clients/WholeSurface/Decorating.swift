import Overmorrow

/// Chains with an owner, with and without a token.
func decorating(_ promise: Promise<Int, LoadError>, with token: PromiseInvalidationToken, for cellar: Cellar) {
  let chains = [
    promise.bound(to: cellar),
    promise.bound(to: cellar, token: token),
    promise.bound(to: cellar, token: token, defaultContext: .utility),
  ]
  for chain in chains {
    chain
      .map(on: .utility) { _, value in value + 1 }
      .then(token: PromiseInvalidationToken()) { cellar, value in print(cellar.name, value) }
    print(chain.token == token, chain.inner == promise)
  }
  // Functions that take promises take the inner, plain promises.
  let both = when(fulfilled: promise, chains[0].inner).bound(to: cellar, token: token)
  both.then { _, values in print(values.0 + values.1) }
}

/// The members that are not steps, on a chain with an owner.
func decorated(_ promise: Promise<Int, LoadError>, by cellar: Cellar, token: PromiseInvalidationToken) async throws {
  let chain = promise.bound(to: cellar)
  print(try await chain.value, await chain.finalResult, chain.result ?? .cancelled)
  let later = chain.delay(.seconds(1)).delay(on: .main, .seconds(1), clock: SuspendingClock())
  let limited = later.timeout(.seconds(3))
  limited.catch { _, error in if case .rejected(.offline) = error { print("offline") } }
  later.timeout(on: .main, .seconds(3), clock: SuspendingClock()).then { _, value in print(value) }
  later.upcast.timeout(.seconds(3)).catch { (_, error: any Error) in print(error) }
  try limited.makeChild().fork { child throws(LoadError) in
    if child.result == nil { throw .offline }
  }
  chain.named("a chain").requestCancelOnInvalidate(token).tap().ignoringCancel().requestCancel()
  print(chain.inner, chain.cancellable, chain.owned())
}
