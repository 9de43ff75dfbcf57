import Overmorrow

/// Runs a program with a model of the contract: arrays, sets and recursion, without regard to efficiency.
final class ModelWorld: ProgramWorld {
  unowned let events: any ProgramEvents
  var promises: [Int: ModelPromise] = [:]
  var resolvers: [Int: ModelResolver] = [:]
  /// The promises that ``askUnresolved()`` will ask.
  var toAsk: [ModelPromise] = []
  private var tokens: [Int: ModelToken] = [:]
  /// The steps that have ended but whose votes remain.
  var endedWithVote: [ModelPromise] = []
  var work: [ModelWork] = []
  /// The promises to whose waiters a global queue will deliver.
  var leftToQueue: [ModelPromise] = []

  init(events: any ProgramEvents) { self.events = events }

  var waitingWork: Int { work.count }
  var leaks: Int { 0 }
  var canContinueOnQueue: Bool { !leftToQueue.isEmpty }
  func waitForQueues() { while canContinueOnQueue { continueOnQueue() } }

  func result(of promise: Int) -> ProgramResult? { promises[promise]!.result }

  func hasRequestedCancel(_ resolver: Int) -> Bool {
    let promise = resolvers[resolver]!.promise
    return promise.result.map { $0 == .cancelled } ?? promise.isAsked
  }

  func tell(_ callback: Int, _ result: ProgramResult?) { events.callbackRuns(callback, with: result) }

  // MARK: Holding

  // The object of an operation is retained until the operation ends.

  func holding(_ promise: ModelPromise, _ body: (ModelPromise) -> Void) {
    promise.holders += 1
    body(promise)
    release(promise)
  }

  func release(_ promise: ModelPromise) {
    promise.holders -= 1
    if promise.holders > 0 { return }
    if promise.requestGoesUp { requestCancel(promise) }
    endIfUnobserved(promise)
  }

  func holding(_ resolver: ModelResolver, _ body: (ModelResolver) -> Void) {
    resolver.holders += 1
    body(resolver)
    release(resolver)
  }

  func release(_ resolver: ModelResolver) {
    resolver.holders -= 1
    let promise = resolver.promise
    defer { endIfUnobserved(promise) }
    guard resolver.holders == 0, !resolver.isIdle, promise.result == nil else { return }
    if promise.claim() { publish(promise, .cancelled, in: nil) }
  }

  private func holding(_ token: ModelToken, _ body: (ModelToken) -> Void) {
    token.holders += 1
    body(token)
    release(token)
  }

  private func release(_ token: ModelToken) {
    token.holders -= 1
    if token.holders == 0 { invalidate(token, suppressing: true) }
  }

  // MARK: Operations

  func makePromise(_ promise: Int) {
    let made = ModelPromise(kind: nil)
    promises[promise] = made
    toAsk.append(made)
    resolvers[promise] = ModelResolver(promise: made)
  }

  func makeResolved(_ promise: Int, _ result: ProgramResult) {
    let made = ModelPromise(kind: nil)
    made.result = result
    promises[promise] = made
  }

  func resolve(_ resolver: Int, with result: ProgramResult) {
    holding(resolvers[resolver]!) { if $0.promise.claim() { publish($0.promise, result, in: nil) } }
  }

  func adopt(_ promise: Int, by resolver: Int) {
    let promise = promises[promise]!
    holding(resolvers[resolver]!) { resolver in
      holding(promise) { if resolver.promise.claim() { adopt(resolver.promise, $0, in: nil) } }
    }
  }

  func onRequestCancel(_ resolver: Int, on context: ContextKind, callback: Int) {
    let resolver = resolvers[resolver]!
    let promise = resolver.promise
    if let result = promise.result, result != .cancelled { return }
    let isLate = promise.result != nil
    // If the promise has already received a request or is cancelled, a `nowOr` handler runs here; otherwise on its
    // context.
    let handler = ModelHandler(
      resolver: resolver, context: context == .nowOrExecutor && (promise.isAsked || isLate) ? .immediate : context,
      callback: callback)
    holding(resolver) { _ in
      guard promise.isAsked || isLate else { return promise.recipients.append(.handler(handler)) }
      run(handler)
    }
  }

  func askUnresolved() -> Bool {
    let asked = toAsk
    toAsk = []
    for promise in asked { requestCancel(promise) }
    return !asked.isEmpty
  }

  func requestCancel(_ promise: Int) { holding(promises[promise]!) { requestCancel($0) } }
  func dropPromise(_ promise: Int) { promises.removeValue(forKey: promise).map(release) }
  func dropResolver(_ resolver: Int) { resolvers.removeValue(forKey: resolver).map { release($0) } }
  func dropToken(_ token: Int) { tokens.removeValue(forKey: token).map { release($0) } }
  func makeToken(_ token: Int) { tokens[token] = ModelToken() }

  func guardPromise(_ promise: Int, token: Int) { tokens[token]!.add(promises[promise]!) }
  func invalidate(_ token: Int, suppressing: Bool) {
    holding(tokens[token]!) { invalidate($0, suppressing: suppressing) }
  }

  private func invalidate(_ token: ModelToken, suppressing: Bool) {
    let promises = token.promises
    token.promises = []
    var suppressed: [ModelPromise] = []
    if suppressing {
      let gate = token.gate
      gate.isShut = true
      token.gate = ModelGate()
      suppressed = gate.steps.filter { !$0.isClaimed }
      for step in suppressed { dropCallback(of: step) }
    }
    for promise in promises {
      events.mayBeInterrupted()
      requestCancel(promise)
    }
    // Not earlier, because the end of a promise that was asked above may still submit a step to its context.
    for step in suppressed.reversed() {
      step.isSuppressed = true
      endIfUnobserved(step)
    }
  }

  func observe(_ source: Int, by observer: Observer) {
    let target = promises[observer.target]!
    // If no token is given, a token that is never invalidated has the same effect.
    holding(observer.token.map { tokens[$0.token]! } ?? ModelToken()) { token in
      holding(promises[source]!) { source in
        holding(target) { _ in
          let step = ModelPromise(kind: observer.kind)
          step.callback = observer.callback
          if observer.kind.adopts {
            step.target = target
            target.holders += 1
          }
          if !observer.kind.hasNoCallback {
            step.context = observer.context
            let gate = token.gate
            events.mayBeInterrupted()
            // A `tap` whose callback can no longer run is not registered.
            if !enter(gate, step), observer.kind == .report { return release(step) }
          }
          events.mayBeInterrupted()
          register(step, on: source)
          events.mayBeInterrupted()
          if observer.kind == .report { return release(step) }
          if observer.token?.isOfChain == true, !observer.kind.hasNoCallback { token.add(step) }
          promises[observer.promise] = step
        }
      }
    }
  }

  /// The token may have been invalidated since the gate was taken.
  private func enter(_ gate: ModelGate, _ step: ModelPromise) -> Bool {
    step.gate = gate
    if gate.isShut {
      dropCallback(of: step)
      step.isSuppressed = true
    } else {
      gate.steps.append(step)
    }
    return !gate.isShut
  }

  func runNext() {
    switch takeWork() {
    case .step(let step, let source): inPass { $0.waiting.append(.step(step, from: source)) }
    case .handler(let handler):
      inPass { _ in
        runNow(handler)
        release(handler.resolver)
      }
    case nil: break
    }
  }

  func dropNext() {
    switch takeWork() {
    case .step(let step, let source): forwardResult(step, from: source, in: nil)
    case .handler(let handler): release(handler.resolver)
    case nil: break
    }
  }

  private func takeWork() -> ModelWork? {
    if work.isEmpty { return nil }
    defer { events.mayBeInterrupted() }
    return work.removeFirst()
  }
}
