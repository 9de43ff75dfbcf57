import Overmorrow

/// Chains with tokens and an owner, in any order. They have the same steps as a plain chain.
func decorating(
  _ promise: Promise<Int, LoadError>, with token: PromiseInvalidationToken, and other: PromiseInvalidationToken,
  for cellar: Cellar
) {
  let tokens = TokenPromise(promise, tokens: [token, other])
  print(tokens == promise.withToken(token).withToken(other), Set([tokens]).count, tokens.tokens.count)
  let chains = [
    promise.bound(to: cellar).withToken(token).withToken(other),
    promise.withToken(token).bound(to: cellar).withToken(other),
    promise.withToken(token).withToken(other).bound(to: cellar, defaultContext: .utility),
  ]
  for chain in chains {
    chain
      .map(on: .utility) { _, value in value + 1 }
      .withToken(token)
      .then { cellar, value in print(cellar.name, value) }
    print(chain.tokens.count, chain.inner == promise)
  }
  // Functions that take promises take the inner, plain promises.
  let both = when(fulfilled: tokens.inner, chains[0].inner).withToken(other).bound(to: cellar)
  both.then { _, values in print(values.0 + values.1) }
}

/// The members that are not steps, on a chain with a token.
func decorated(_ promise: Promise<Int, LoadError>, with token: PromiseInvalidationToken) async throws {
  let chain = promise.withToken(token)
  print(try await chain.value, await chain.finalResult, chain.result ?? .cancelled)
  let later = chain.delay(.seconds(1)).delay(on: .main, .seconds(1), clock: SuspendingClock())
  let limited = later.timeout(.seconds(3))
  limited.catch { if case .rejected(.offline) = $0 { print("offline") } }
  later.timeout(on: .main, .seconds(3), clock: SuspendingClock()).then { print($0) }
  later.upcast.timeout(.seconds(3)).catch { (error: any Error) in print(error) }
  try limited.makeChild().fork { child throws(LoadError) in
    if child.result == nil { throw .offline }
  }
  chain.named("a chain").requestCancelOnInvalidate(token).tap().ignoringCancel().requestCancel()
  print(chain.inner, chain.cancellable, chain.owned())
}

/// The same, on a chain with an owner.
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
