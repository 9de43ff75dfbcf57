import Overmorrow

/// What a program does with chains that have a token, and with combinators.
extension EngineWorld {
  // MARK: Tokens

  /// The promise made by an operator of a chain with a token, or `nil` for a report. Operators without a callback are the
  /// promise's own.
  func register(_ source: TokenPromise<Item, Item>, _ observer: Observer) -> Subject? {
    let context = context(observer.context)
    let tracker = tracker
    let tracked = tracker.make()
    let callback = observer.callback
    let target = promises[observer.target]!
    let tell: @Sendable (ProgramResult) -> Void = { [events] result in
      withExtendedLifetime(tracked) { events.callbackRuns(callback, with: result) }
    }
    switch observer.kind {
    case .then: return source.then(on: context) { tell(.value($0.number)) }.inner
    case .catch: return source.catch(on: context) { tell(.error($0.number)) }.inner
    case .always: return source.always(on: context) { tell(EngineWorld.view($0)) }.inner
    case .report:
      _ = source.tap(on: context) { tell(EngineWorld.view($0)) }
      return nil
    case .onCancel: return source.onCancel(on: context) { tell(.cancelled) }.inner
    case .follow, .ignoringCancel, .makeChild: return register(source.inner, observer, nil)
    case .map: return source.map(on: context) { EngineWorld.map($0, tell, tracker) }.inner
    case .mapError: return source.mapError(on: context) { EngineWorld.mapError($0, tell, tracker) }.inner
    case .mapResult: return source.mapResult(on: context) { EngineWorld.mapResult($0, tell, tracker) }.inner
    case .flatMap:
      return source.flatMap(on: context) {
        tell(.value($0.number))
        return target
      }.inner
    case .flatMapError:
      return source.flatMapError(on: context) {
        tell(.error($0.number))
        return target
      }.inner
    case .flatMapResult:
      return source.flatMapResult(on: context) {
        tell(EngineWorld.view($0))
        return target
      }.inner
    }
  }

  // MARK: Transforms

  typealias Tell = @Sendable (ProgramResult) -> Void

  static func map(_ item: Item, _ tell: Tell, _ tracker: Tracker) -> Item {
    tell(.value(item.number))
    return Item(item.number + 100, tracker)
  }

  static func mapError(_ item: Item, _ tell: Tell, _ tracker: Tracker) -> Item {
    tell(.error(item.number))
    return Item(item.number + 100, tracker)
  }

  static func mapResult(
    _ result: PromiseResult<Item, Item>, _ tell: Tell, _ tracker: Tracker
  ) -> PromiseResult<Item, Item> {
    tell(view(result))
    switch result {
    case .value(let item): return .error(item)
    case .error(let item): return .value(item)
    case .cancelled: return .value(Item(7, tracker))
    }
  }

  // MARK: Combinators

  func gather(_ kind: GatherKind, _ inputs: [Int], asks: Bool, by map: Observer) {
    let tracker = tracker
    let tracked = tracker.make()
    let callback = map.callback
    let tell: Tell = { [events] result in
      withExtendedLifetime(tracked) { events.callbackRuns(callback, with: result) }
    }
    with(inputs.map { promises[$0]! }) { inputs in
      switch kind {
      case .fulfilled:
        with(when(fulfilled: inputs, cancelOnFailure: asks)) { whole in
          promises[map.promise] = whole.map(on: .immediate) { items in
            EngineWorld.map(Item(items.map(\.number).reduce(0, +), tracker), tell, tracker)
          }
        }
      case .first:
        with(when(first: inputs, cancelRemaining: asks)) { whole in
          promises[map.promise] = whole.map(on: .immediate) { EngineWorld.map($0, tell, tracker) }
        }
      }
    }
  }
}
