@testable import Overmorrow
@testable import OvermorrowEngine

extension Program {
  static let tokens: [Program] = [
    Program("a promise is registered with a token while it resolves") { run in
      let (observer, source) = run.ownSubject()
      let token = PromiseInvalidationToken()
      run.race(source.fulfil, { observer.use { token.requestCancelOnInvalidate($0) } })
      run.atEnd { run.expectCancelled([token]) }
    },
    Program("a promise is registered with two tokens while it resolves") { run in
      let (observers, sources) = run.share(observers: 2)
      let tokens = [PromiseInvalidationToken(), PromiseInvalidationToken()]
      run.thread(with: sources[0]) { $0.fulfill(with: Witness(1)) }
      for (observer, token) in zip(observers, tokens) {
        run.thread(with: observer) { token.requestCancelOnInvalidate($0) }
      }
      run.atEnd { run.expectCancelled(tokens) }
    },
    Program("a promise is registered with a token that is invalidated") { run in
      let (observer, source) = run.ownSubject(complying: true)
      let token = PromiseInvalidationToken()
      run.race({ observer.use { token.requestCancelOnInvalidate($0) } }, token.invalidate)
      run.atEnd { token.invalidate() }
      run.expectAtEnd(["asked"])
      run.expectAtEnd(token.entryCount == 0, "the token still has an entry")
    },
    Program("a thread that finds a callback suppressed sees the writes before the invalidation") { run in
      let (promise, source) = run.subject()
      let token = PromiseInvalidationToken()
      let witness = Witness(2)
      let hasRun = Guarded(false)
      promise.always(on: .immediate, token: token) { _ in hasRun.withLock { $0 = true } }
        .always(on: .immediate) { _ in if !hasRun.withLock({ $0 }) { _ = witness.read } }
      run.thread {
        witness.write()
        token.invalidate()
      }
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
    },
    Program("an observer with a token is released while the token is invalidated") { run in
      let (subject, source) = run.ownSubject()
      let token = PromiseInvalidationToken()
      let observer = run.own(subject.value.then(on: .immediate, token: token) { _ in run.record("run") })
      subject.value.observe(run)
      subject.value.observe(run)
      run.race(observer.drop, token.invalidate)
      run.expectAtEnd(subject.value.waiterCount == 2, "a suppressed step that nothing observes is still in the list")
      run.atEnd { source.value.fulfill(with: Witness(1)) }
      run.expectAtEnd(["value 1", "value 1"])
    },
    Program("a tap is registered with a token that is invalidated") { run in
      let (subject, source) = run.ownSubject()
      let token = PromiseInvalidationToken()
      run.race({ subject.use { $0.tap(on: .immediate, token: token) { run.record($0.text) } } }, token.invalidate)
      run.atEnd { source.value.fulfill(with: Witness(1)) }
      run.expectAtEnd(["value 1"], [])
    },
    Program("registering with an idle token races with invalidating its root") { run in
      let tokens = chain(of: 2)
      tokens[0].invalidate()
      run.race({ run.register(with: tokens[1], invalidate: tokens[0]) }, { tokens[0].invalidate() })
    },
    Program("two threads register with an idle token, and each invalidates the root") { run in
      let tokens = chain(of: 3)
      tokens[0].invalidate()
      run.thread { run.register(with: tokens[2], invalidate: tokens[0]) }
      run.thread { run.register(with: tokens[2], invalidate: tokens[1]) }
    },
    Program("an idle token with a follower is chained to another one while the follower is used") { run in
      let tokens = chain(of: 2)
      let root = PromiseInvalidationToken()
      tokens[0].invalidate()
      run.thread { run.register(with: tokens[1], invalidate: tokens[0]) }
      run.thread {
        let gate = tokens[1].gate
        tokens[0].chainInvalidation(from: root)
        root.invalidate()
        run.expect(gate.isShut, "a callback is not suppressed")
      }
    },
    Program("the end of a token races with the end of the token that it follows") { run in
      let parent = run.own(PromiseInvalidationToken())
      let child = run.own(PromiseInvalidationToken())
      child.value.chainInvalidation(from: parent.value)
      let gate = child.value.gate
      run.race(parent.drop, child.drop)
      run.expectAtEnd(gate.isShut, "a callback is not suppressed")
    },
    Program("a token requests cancellation of a step without a handle while the source resolves") { run in
      let (promise, source) = run.subject()
      let token = run.own(PromiseInvalidationToken())
      let step = promise.always(on: .immediate) { run.record($0.text) }
      token.value.requestCancelOnInvalidate(step)
      _ = consume step
      run.race(source.fulfil, { token.value.invalidate() })
      run.expectAtEnd(["value 1"])
    },
  ]

  /// Creates tokens, each of which follows the previous one.
  private static func chain(of count: Int) -> [PromiseInvalidationToken] {
    let tokens = (0..<count).map { _ in PromiseInvalidationToken() }
    for (follower, followed) in zip(tokens.dropFirst(), tokens) { follower.chainInvalidation(from: followed) }
    return tokens
  }
}

extension Run {
  /// Checks that an invalidation suppresses callbacks registered before it, even if other threads invalidate or
  /// register at the same time.
  fileprivate func register(with token: PromiseInvalidationToken, invalidate other: PromiseInvalidationToken) {
    let gate = token.gate
    other.invalidate()
    expect(gate.isShut, "a callback is not suppressed")
  }

  /// Checks that every promise has reported its result to each token.
  fileprivate func expectCancelled(_ tokens: [PromiseInvalidationToken]) {
    for token in tokens {
      guard let roster = token.storage.roster else { continue }
      let (count, reported) = (roster.entries.count, roster.resolved.load(ordering: .acquiring))
      expect(reported >= count, "a roster has \(count) promises, of which \(reported) have reported their result")
    }
  }
}
