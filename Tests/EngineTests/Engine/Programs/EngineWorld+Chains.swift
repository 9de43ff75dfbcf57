import Overmorrow

/// The operators and combinators of a program, and what their callbacks do.
extension EngineWorld {
  /// The callback of any operator: it reports its argument, and returns a different value.
  struct Callback: Sendable {
    let number: Int
    let events: any ProgramEvents
    let tracker: Tracker
    /// Released with the callback.
    let tracked: Tracker.Tracked
    /// The promise that the callback of a `flatMap` returns.
    let target: Subject?

    func onValue(_ item: Item) { onResult(.value(item)) }
    func onError(_ item: Item) { onResult(.error(item)) }
    func onCancel() { onResult(.cancelled) }
    func onResult(_ result: PromiseResult<Item, Item>) { events.callbackRuns(number, with: EngineWorld.view(result)) }

    func map(_ item: Item) -> Item {
      onValue(item)
      return Item(item.number + 100, tracker)
    }

    func mapError(_ item: Item) -> Item {
      onError(item)
      return Item(item.number + 100, tracker)
    }

    func mapResult(_ result: PromiseResult<Item, Item>) -> PromiseResult<Item, Item> {
      onResult(result)
      switch result {
      case .value(let item): return .error(item)
      case .error(let item): return .value(item)
      case .cancelled: return .value(Item(7, tracker))
      }
    }

    /// Returns the callback of a `flatMap`, which reports its argument with `tell` and returns the target.
    func adopting<T>(_ tell: @escaping @Sendable (T) -> Void) -> @Sendable (T) -> Subject {
      {
        tell($0)
        return target!
      }
    }
  }

  private func callback(of observer: Observer) -> Callback {
    Callback(
      number: observer.callback, events: events, tracker: tracker, tracked: tracker.make(),
      target: observer.kind.adopts ? promises[observer.target] : nil)
  }

  /// Applies an operator and returns its promise.
  func register(_ source: Subject, _ observer: Observer, _ token: PromiseInvalidationToken?) -> Subject {
    let (context, callback) = (context(observer.context), callback(of: observer))
    return switch observer.kind {
    case .then: source.then(on: context, token: token, callback.onValue)
    case .catch: source.catch(on: context, token: token, callback.onError)
    case .always: source.always(on: context, token: token, callback.onResult)
    case .report: source.tap(on: context, token: token, callback.onResult)
    case .onCancel: source.onCancel(on: context, token: token, callback.onCancel)
    case .follow: source.tap()
    case .ignoringCancel: source.ignoringCancel()
    case .makeChild: source.makeChild()
    case .map: source.map(on: context, token: token, callback.map)
    case .mapError: source.mapError(on: context, token: token, callback.mapError)
    case .mapResult: source.mapResult(on: context, token: token, callback.mapResult)
    case .flatMap: source.flatMap(on: context, token: token, callback.adopting(callback.onValue))
    case .flatMapError: source.flatMapError(on: context, token: token, callback.adopting(callback.onError))
    case .flatMapResult: source.flatMapResult(on: context, token: token, callback.adopting(callback.onResult))
    }
  }

  func gather(_ kind: GatherKind, _ inputs: [Int], asks: Bool, by map: Observer) {
    let callback = callback(of: map)
    with(inputs.map { promises[$0]! }) { inputs in
      switch kind {
      case .fulfilled:
        with(when(fulfilled: inputs, cancelOnFailure: asks)) { whole in
          promises[map.promise] = whole.map(on: .immediate) { items in
            callback.map(Item(items.map(\.number).reduce(0, +), callback.tracker))
          }
        }
      case .first:
        with(when(first: inputs, cancelRemaining: asks)) { whole in
          promises[map.promise] = whole.map(on: .immediate, callback.map)
        }
      }
    }
  }
}
