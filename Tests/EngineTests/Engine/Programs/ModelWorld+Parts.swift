import Overmorrow

/// A promise in the model.
final class ModelPromise {
  /// The operator that made it; `nil` for a promise with a resolver, and for one that was made resolved.
  let kind: ObserverKind?
  /// The number of handles: variables of the program, callbacks, and running operations.
  var holders = 1
  var isClaimed = false
  var isAdopting = false
  var result: ProgramResult?
  /// Whether some waiter has not been started yet.
  var isServing = false

  /// The waiters, in the order of registration.
  var waiters: [ModelPromise] = []
  /// The promise that this one waits for.
  var waitsFor: ModelPromise?
  /// The children with a vote that have not requested cancellation.
  var votes: Set<ObjectIdentifier> = []
  var hasChildAsked = false

  var isAsked = false
  /// The recipients of a request, in order.
  var recipients: [ModelRecipient] = []

  // The properties of a step.
  var context = ContextKind.immediate
  var callback = 0
  var gate: ModelGate?
  /// Whether its callback was released when the gate was shut.
  var isSuppressed = false
  var target: ModelPromise?
  /// The combinator that this step reports to, until it has reported.
  var reportsTo: ModelGathering?

  /// The number of holders of resolvers.
  var resolverHolders = 0

  // The property of a combinator's promise.
  var gathering: ModelGathering?

  /// Whether it is a step through which a combinator waits for an input.
  let isOfCombinator: Bool

  init(kind: ObserverKind?, isOfCombinator: Bool = false) {
    self.kind = kind
    self.isOfCombinator = isOfCombinator
  }

  /// Whether it has no handle and no waiters, apart from waiters that can end themselves: those that have received a
  /// request, have no callback, and are unobserved too.
  var isUnobserved: Bool { holders == 0 && waiters.allSatisfy { $0.result != nil || $0.affectsNothing } }

  /// Whether its result affects nothing.
  var affectsNothing: Bool {
    if let whole = reportsTo { return !whole.asks && whole.promise.affectsNothing }
    guard isAsked, isUnobserved else { return false }
    if let gathering { return !gathering.asks }
    return isAdopting ? resolverHolders == 0 : kind?.hasNoCallback == true
  }

  /// Whether a request is due here (3.2).
  var requestGoesUp: Bool { votes.isEmpty && hasChildAsked && holders == 0 }

  /// The promises that it directly waits for.
  var upstream: [ModelPromise] { (waitsFor.map { [$0] } ?? []) + (gathering?.steps ?? []) }

  /// Whether it is a step that has not started.
  var isStepToRun: Bool { kind != nil && !isClaimed && result == nil }

  /// Removes the waiters that have ended, except the last one, which stays in its place.
  func removeEnded() {
    guard result == nil, let last = waiters.last else { return }
    waiters = waiters.dropLast().filter { $0.result == nil } + [last]
  }

  /// Takes the right to resolve; `false` if it has been taken.
  func claim() -> Bool {
    if isClaimed || result != nil { return false }
    isClaimed = true
    return true
  }

  /// Whether the callback runs for this result.
  func wants(_ result: ProgramResult) -> Bool {
    switch (kind, result) {
    case (.then, .value), (.map, .value), (.flatMap, .value): true
    case (.catch, .error), (.mapError, .error), (.flatMapError, .error): true
    case (.onCancel, .cancelled): true
    case (.always, _), (.report, _), (.mapResult, _), (.flatMapResult, _): true
    default: false
    }
  }

  /// The result if the callback does not run: operators that only observe, or whose callback does not handle this
  /// result, pass it on.
  func passed(_ result: ProgramResult) -> ProgramResult {
    isOfCombinator || wants(result) && kind?.observes == false ? .cancelled : result
  }

  /// The result if the callback runs and does not return a promise.
  func transformed(_ result: ProgramResult) -> ProgramResult {
    switch (kind, result) {
    case (.map, .value(let number)): .value(number + 100)
    case (.mapError, .error(let number)): .error(number + 100)
    case (.mapResult, .value(let number)): .error(number)
    case (.mapResult, .error(let number)): .value(number)
    case (.mapResult, .cancelled): .value(7)
    case (.report, _): .cancelled
    default: result
    }
  }
}

extension ObserverKind {
  var observes: Bool { [.then, .catch, .always, .onCancel].contains(self) }
  var adopts: Bool { self == .flatMap || self == .flatMapError || self == .flatMapResult }
  var hasNoCallback: Bool { self == .follow || self == .ignoringCancel || self == .makeChild }
  /// Whether it has a vote on the promise it waits for.
  var votes: Bool { self != .report && self != .follow && self != .onCancel }
  /// Whether a request made to it withdraws that vote.
  var withdraws: Bool { votes && self != .ignoringCancel }
}

/// A recipient of a request to cancel.
enum ModelRecipient {
  case upstream(ModelPromise)
  case handler(ModelHandler)
  case gathering(ModelGathering)

  var isUpstream: Bool { if case .upstream = self { true } else { false } }
}

struct ModelHandler {
  var resolver: ModelResolver
  let context: ContextKind
  let callback: Int
}

final class ModelResolver {
  let promise: ModelPromise
  var holders = 0 { didSet { promise.resolverHolders += holders - oldValue } }
  /// Whether it never had the right to resolve.
  let isIdle: Bool

  init(promise: ModelPromise, isIdle: Bool = false) {
    self.promise = promise
    self.isIdle = isIdle
    if isIdle { return }
    promise.resolverHolders += 1
    holders = 1
  }
}

final class ModelToken {
  var holders = 1
  var gate = ModelGate()
  var promises: [ModelPromise] = []

  func add(_ promise: ModelPromise) {
    if promise.result == nil { promises.append(promise) }
  }
}

final class ModelGate {
  var isShut = false
  /// The steps whose callbacks are released when it is shut.
  var steps: [ModelPromise] = []
}

/// Work in the executor.
enum ModelWork {
  case step(ModelPromise, from: ModelPromise)
  case handler(ModelHandler)
}

/// The deliveries to make before a call returns.
final class ModelPass {
  enum Item {
    case resolved(ModelPromise)
    case step(ModelPromise, from: ModelPromise)
  }

  var waiting: [Item] = []
}
