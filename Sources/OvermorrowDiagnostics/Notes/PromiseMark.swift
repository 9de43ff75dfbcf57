internal import OvermorrowEngine

/// What the diagnostics remember of one promise: how it was made, where, and its context. A mark retains no promise.
package final class PromiseMark: Sendable {
  /// Whether an operator has made the promise.
  let isStep: Bool
  let context: String?
  private let site: CallSite
  private let origin: PromiseOrigin?
  private let producer: ProducerKind
  /// The calls that have made the promise; `nil` if its call site is known or cannot be found.
  private let calls: CallStack?
  private let labels: Guarded<Labels>

  private struct Labels {
    var name: String?
    var detail: String?
    var isHidden = false
  }

  init(
    _ site: CallSite, origin: PromiseOrigin?, isStep: Bool, context: String?, name: String?, producer: ProducerKind,
    calls: CallStack?
  ) {
    self.site = site
    self.origin = origin
    self.isStep = isStep
    self.context = context
    self.producer = producer
    self.calls = calls
    labels = Guarded(Labels(name: name))
  }

  var name: String? { labels.withLock { $0.name } }

  func rename(_ name: String) { labels.withLock { $0.name = name } }

  /// The part of its work that the promise is for, such as "attempt 3"; `nil` if this is not known.
  package var detail: String? {
    get { labels.withLock { $0.detail } }
    set { labels.withLock { $0.detail = newValue } }
  }

  /// Whether trails leave out the promise.
  var isHidden: Bool { labels.withLock { $0.isHidden } }

  /// Records that trails leave out the promise, because the library made it for its own use.
  package func hide() { labels.withLock { $0.isHidden = true } }

  /// The call that has made the promise, if this build knows lines. For a step, this is the call of the operator.
  /// Finding the call takes long, so no lock may be held.
  var call: UserCall? { Symbols.areKnown ? calls.flatMap { UserCall.find(in: $0) } : nil }

  /// The site or the address of the call that has made the promise. No lock may be held.
  package var siteOfCall: String? { calls?.siteOfCall }

  /// Whether finding the call takes long.
  package var callTakesLong: Bool { Symbols.areKnown && calls.map { !UserCall.isKnown(in: $0) } ?? false }

  /// The offset of the calls in a mark, for debuggers (`CoreNote+Layout`).
  static var offsetOfCalls: UInt {
    let calls = CallStack(addresses: [1])
    let mark = PromiseMark(
      CallSite(#fileID, #line), origin: nil, isStep: false, context: nil, name: nil, producer: .resolver, calls: calls)
    return CoreNote.offset(of: calls.word, in: mark)
  }

  /// Returns the entry of a trail. No lock may be held.
  func entry(_ kind: Trail.Entry.Kind, isRejectedHere: Bool) -> Trail.Entry {
    let call = call
    return Trail.Entry(
      kind: kind, operation: isStep ? call?.function : producer.operation,
      place: isStep ? call?.site : origin?.text ?? site.text ?? call?.site, name: name, context: context,
      detail: detail, isRejectedHere: isRejectedHere,
      addresses: call.map { [$0.address] } ?? calls?.ofProgram.addresses ?? [])
  }
}

extension ProducerKind {
  /// A short name for the work that resolves the promise; `nil` if a resolver of the program or other promises resolve
  /// it.
  fileprivate var operation: String? {
    switch self {
    case .resolver, .boundedInputs, .staleWait: nil
    case .timer: "timer"
    case .task: "task"
    case .job: "job of a limiter"
    case .load, .asyncLoad: "load"
    case .attempt, .nextAttempt: "retry"
    case .operation: "operation"
    }
  }
}
