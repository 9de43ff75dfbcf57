internal import Overmorrow
internal import OvermorrowEngine

/// The calls whose keys are loaded together.
///
/// A batch is open until its load begins, until it is full, or until all its calls have been cancelled. No key is
/// hashed, compared or released while the lock is held.
final class KeyBatch<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Call = (key: Key, resolver: Promise<Value, any Error>.Resolver)
  typealias Loading = Promise<[Key: Value], any Error>
  typealias Load = @Sendable (_ keys: [Key]) -> Loading

  /// The settings that all batches of a batcher share.
  struct Settings: Sendable {
    let maxSize: Int
    let window: Duration
    let clock: any Clock<Duration>
    let context: PromiseContext
    /// Returns the load of a batch. Called inside the first call of the batch.
    let makeLoad: @Sendable (_ site: CallSite) -> Load
  }

  private struct State {
    /// The calls that wait, by their numbers.
    var calls: [Int: Call]
    var lastNumber = 0
    var isOpen = true
    /// Whether all calls have been withdrawn.
    var isCancelled = false
    /// The promise of the load, until it has ended or is not needed any more.
    var loading: Loading?
    /// During the window: submits the start of the load.
    var start: (@Sendable () -> Void)?

    /// Closes the batch. Returns the closure that submits the start of the load, if the window has not ended.
    mutating func close() -> (@Sendable () -> Void)? {
      isOpen = false
      return start.take()
    }
  }

  private let state: Guarded<State>

  init(first call: Call) { state = Guarded(State(calls: [0: call])) }

  /// The state of the batch, and the number of the calls that wait.
  var content: (state: String, calls: Int) {
    state.withLock { state in
      let name =
        state.isOpen ? "open" : state.isCancelled ? "cancelled" : state.loading == nil ? "ended" : "closed, loading"
      return (name, state.calls.count)
    }
  }

  /// Adds a call if the batch is open. If the batch is then full, starts its load.
  ///
  /// - Returns: Whether the batch was open.
  func add(_ call: Call, _ settings: Settings) -> Bool {
    let (number, start) = state.withLock { state -> (Int?, (@Sendable () -> Void)?) in
      guard state.isOpen, state.calls.count < settings.maxSize else { return (nil, nil) }
      state.lastNumber += 1
      state.calls[state.lastNumber] = call
      return (state.lastNumber, state.calls.count == settings.maxSize ? state.close() : nil)
    }
    guard let number else { return false }
    withdraw(number, onRequestOf: call.resolver)
    start?()
    return true
  }

  /// Submits the start of the load to its context, or starts the window. Called once, when other calls can find the
  /// batch.
  func open(_ settings: Settings, at site: CallSite) {
    let load = settings.makeLoad(site)
    let (loading, work) = HeldWork<[Key: Value], any Error>.make(on: settings.context, at: site, by: .load) { _ in
      let keys = self.takeKeys()
      return keys.isEmpty ? Loading(with: .cancelled, site: .library) : load(keys)
    }
    let (first, waits) = state.withLock { state -> (Call?, Bool) in
      state.loading = loading
      if state.calls.count == settings.maxSize { state.isOpen = false }
      let waits = state.isOpen && settings.window > .zero
      if waits { state.start = { work.start() } }
      return (state.calls[0], waits)
    }
    if let first { withdraw(0, onRequestOf: first.resolver) }
    // The observer counts as a reader of the load's error, because each call gets the error.
    guard waits else {
      loading.whenResolvedOrUnneeded(isReader: true) { self.end($0) }
      return work.start()
    }
    // The batch stays open until the context runs the start, so that calls join while the context is busy.
    let timer = Timer(after: settings.window, on: settings.clock) { self.state.withLock { $0.start.take() }?() }
    loading.whenResolvedOrUnneeded(isReader: true) { result in
      timer.cancel()
      self.end(result)
    }
  }

  /// Closes the batch, and returns its keys without duplicates, in the order of the calls.
  private func takeKeys() -> [Key] {
    let (calls, start) = state.withLock { ($0.calls, $0.close()) }
    var (seen, keys) = (Set<Key>(), [Key]())
    for (_, call) in calls.sorted(by: { $0.key < $1.key }) where seen.insert(call.key).inserted {
      keys.append(call.key)
    }
    return withExtendedLifetime(start) { keys }
  }

  /// Resolves the promises of the calls.
  private func end(_ result: PromiseResult<[Key: Value], any Error>) {
    let (calls, rest) = state.withLock { state in
      (state.calls.takeAll(), (state.close(), state.loading.take()))
    }
    withExtendedLifetime(rest) {}
    for (_, call) in calls.sorted(by: { $0.key < $1.key }) {
      switch result {
      case .value(let values):
        if let value = values[call.key] {
          call.resolver.fulfill(with: value)
        } else {
          call.resolver.reject(with: PromiseMissingKeyError(key: call.key))
        }
      case .error(let error): call.resolver.reject(with: error)
      case .cancelled: call.resolver.cancel()
      }
    }
  }

  /// Removes a call and cancels its promise when the promise is asked to cancel. If no call is left, asks the load to
  /// cancel.
  private func withdraw(_ number: Int, onRequestOf resolver: Promise<Value, any Error>.Resolver) {
    resolver.onRequestCancel(on: .immediate) { resolver in
      let (call, loading) = self.state.withLock { state -> (Call?, Loading?) in
        guard let call = state.calls.removeValue(forKey: number) else { return (nil, nil) }
        guard state.calls.isEmpty else { return (call, nil) }
        (state.isOpen, state.isCancelled) = (false, true)
        return (call, state.loading.take())
      }
      if call != nil { resolver.cancel() }
      loading?.requestCancel()
    }
  }
}

extension KeyBatch: WaitSource {
  var needs: WaitNeeds? {
    let loading = state.withLock { $0.loading }
    return loading.map { WaitNeeds([WaitNode($0)], clause: "waits for the load of its batch, which is") }
  }
}

extension Dictionary {
  /// Removes all elements, and returns them.
  fileprivate mutating func takeAll() -> Dictionary {
    defer { self = [:] }
    return self
  }
}
