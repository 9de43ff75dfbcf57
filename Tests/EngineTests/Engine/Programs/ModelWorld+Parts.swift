import Overmorrow

/// What the copies of a promise share, in the model.
final class ModelPromise {
  /// The operator that made it; `nil` for one that a resolver resolves, or that was made resolved.
  let kind: ObserverKind?
  /// How many handles there are: variables of the program, callbacks, and operations under way.
  var holders = 1
  var isClaimed = false
  var isAdopting = false
  var result: ProgramResult?
  /// Whether a waiter has not been started.
  var isServing = false
  /// Whether the resolvers are gone, and a handler will be given a new one.
  var waitsForRequest = false

  /// Who waits, in the order of registration.
  var waiters: [ModelPromise] = []
  /// What it waits for itself.
  var waitsFor: ModelPromise?
  /// The children that have a vote and have not asked.
  var votes: Set<ObjectIdentifier> = []
  var hasChildAsked = false

  var isAsked = false
  /// Who is to be told of a request, in order.
  var toTell: [ModelInformed] = []

  // A step's own.
  var context = ContextKind.immediate
  var callback = 0
  var gate: ModelGate?
  /// Whether its callback has gone because the gate has been shut.
  var isSuppressed = false
  var target: ModelPromise?
  /// What it reports to as the step of a combinator, until it has.
  var reportsTo: ModelGathering?

  /// How many there are who may resolve it.
  var resolverHolders = 0

  // Of one that is made by a combinator.
  var gathering: ModelGathering?

  /// Whether it is the step through which a combinator waits.
  let isOfCombinator: Bool

  init(kind: ObserverKind?, isOfCombinator: Bool = false) {
    self.kind = kind
    self.isOfCombinator = isOfCombinator
  }

  /// Whether it has neither a handle nor a waiter; except waiters that can end themselves, as they were asked to
  /// cancel, have no callback, and are not observed either.
  var isUnobserved: Bool { holders == 0 && waiters.allSatisfy { $0.result != nil || $0.isInvisible } }

  /// Whether it is of no consequence.
  var isInvisible: Bool {
    if let whole = reportsTo { return !whole.asks && whole.promise.isInvisible }
    guard isAsked, isUnobserved else { return false }
    if let gathering { return !gathering.asks }
    return isAdopting ? resolverHolders == 0 : kind?.hasNoCallback == true
  }

  /// Whether a request is due here (3.2).
  var passesOn: Bool { votes.isEmpty && hasChildAsked && holders == 0 }

  /// Whether the promise is cancelled because neither a resolver nor a way to ask is left.
  var canNeverBeAsked: Bool { waitsForRequest && votes.isEmpty && holders == 0 }

  /// What it waits for, directly.
  var upstream: [ModelPromise] { (waitsFor.map { [$0] } ?? []) + (gathering?.steps ?? []) }

  /// Whether it is a step that has not begun.
  var isStepToRun: Bool { kind != nil && !isClaimed && result == nil }

  var hasHandler: Bool { toTell.contains { if case .handler = $0 { true } else { false } } }

  /// Those who wait, and have ended, leave, but for the last one: it stays in its place.
  func forgetEnded() {
    guard result == nil, let last = waiters.last else { return }
    waiters = waiters.dropLast().filter { $0.result == nil } + [last]
  }

  /// The right to resolve, given once.
  func claim() -> Bool {
    if isClaimed || result != nil { return false }
    isClaimed = true
    return true
  }

  /// Whether the callback is to see this result.
  func wants(_ result: ProgramResult) -> Bool {
    switch (kind, result) {
    case (.then, .value), (.map, .value), (.flatMap, .value): true
    case (.catch, .error), (.mapError, .error), (.flatMapError, .error): true
    case (.onCancel, .cancelled): true
    case (.always, _), (.report, _), (.mapResult, _), (.flatMapResult, _): true
    default: false
    }
  }

  /// What becomes of a result without the callback: whoever only observes, or does not want it, passes it on.
  func passed(_ result: ProgramResult) -> ProgramResult {
    isOfCombinator || wants(result) && kind?.observes == false ? .cancelled : result
  }

  /// What becomes of a result with the callback, where that does not return a promise.
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
  /// Has a vote on what it waits for.
  var votes: Bool { self != .report && self != .follow && self != .onCancel }
  /// A request made to it takes that vote back.
  var withdraws: Bool { votes && self != .ignoringCancel }
}

/// Who is told of a request to cancel.
enum ModelInformed {
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
  /// Whether it has never had the right to resolve.
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
  /// Those whose callbacks go when it is shut.
  var steps: [ModelPromise] = []
}

/// Work that the executor has.
enum ModelWork {
  case step(ModelPromise, from: ModelPromise)
  case handler(ModelHandler)
}

/// A list of what is to be served before a call returns.
final class ModelPass {
  enum Item {
    case resolved(ModelPromise)
    case step(ModelPromise, from: ModelPromise)
  }

  var waiting: [Item] = []
}
