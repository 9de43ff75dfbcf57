public import OvermorrowEngine

/// Returns a promise for the value of the first input that is fulfilled.
///
/// Other libraries call this *any*.
///
/// ```swift
/// let copy = when(firstFulfilled: mirrors.map { load($0) }, cancelRemaining: true)
/// copy.then { show($0) }
///   .catch { error in report("no mirror has it: \(error.errors)") }
/// ```
///
/// - Fulfils: with the value of the first input that is fulfilled.
/// - Fails: if all inputs have finished, no input is fulfilled, and at least one input is rejected. The error contains
///   the errors of all rejected inputs. If there are no inputs, fails at once, with an error whose `isEmpty` is `true`.
/// - Cancels: if there are inputs, and all of them are cancelled. A request to cancel withdraws one vote on each input.
/// - Parameters:
///   - promises: The inputs.
///   - cancelRemaining: Whether the other inputs are asked to cancel as soon as an input is fulfilled. `false` by
///     default.
///   - joining: Whether the returned promise is resolved only after all inputs have finished, even if an input has
///     already decided the result. `false` by default.
///   - fileID: The file of the call, for ``PromiseDiagnostics``.
///   - line: The line of the call.
/// - Complexity: One registration for each input.
@inlinable
public func when<Value, Failure>(
  firstFulfilled promises: [Promise<Value, Failure>], cancelRemaining: Bool = false, joining: Bool = false,
  fileID: StaticString = #fileID, line: UInt = #line
) -> Promise<Value, PromiseAggregateError<Failure>> {
  if promises.isEmpty { return Promise(rejected: PromiseAggregateError(reasons: []), fileID: fileID, line: line) }
  let keeper = ResultKeeper(promises)
  let order = FinishingOrder()
  let (promise, resolver) = Promise<Value, PromiseAggregateError<Failure>>.makeForLibrary(at: CallSite(fileID, line))
  let gathering = Gathering(
    resolver: resolver, count: promises.count, cancelling: cancelRemaining, joining: joining
  ) {
    let results = keeper.results()
    if results.allSatisfy(\.isCancelled) { return .cancelled }
    return .error(PromiseAggregateError(reasons: results.map(\.error), finishingOrder: order.numbers))
  }
  if gathering.cancelsInputs { for promise in promises { gathering.cancelOnDecision(promise) } }
  var steps = NewSteps(reserving: promises.count)
  for (number, promise) in promises.enumerated() {
    steps.register(
      NumberedStep<FirstFulfilled<Value, Failure>>.self, on: promise.handle.core, (gathering, order, number))
  }
  withExtendedLifetime(promises) {}
  gathering.wait(for: steps)
  return promise
}

/// The rule of `when(firstFulfilled:)`: the first input that is fulfilled decides.
@usableFromInline
enum FirstFulfilled<Value: Sendable, InputFailure: Sendable>: GatheringRule {
  @inlinable
  static func decision(
    of input: PromiseResult<Value, InputFailure>
  ) -> PromiseResult<Value, PromiseAggregateError<InputFailure>>? {
    if case .value(let value) = input { .value(value) } else { nil }
  }
}

/// The order in which the inputs have finished.
@usableFromInline
final class FinishingOrder: Sendable {
  private let finished = Guarded<[Int]>([])

  @usableFromInline
  init() {}

  @usableFromInline
  func append(_ number: Int) { finished.withLock { $0.append(number) } }

  @usableFromInline
  var numbers: [Int] { finished.withLock { $0 } }
}

/// A step that reports the result of an input, and records the order in which the inputs finish.
@usableFromInline
enum NumberedStep<R: GatheringRule>: Step {
  @usableFromInline
  typealias Callback = (gathering: Gathering<R.Output, R.Failure>, order: FinishingOrder, number: Int)

  @inlinable static var traits: Traits { [.takesPart, .onAnything] }

  @inlinable
  static func run(
    _ callback: Callback, _ input: PromiseResult<R.Value, R.InputFailure>
  ) -> PromiseStepResult<Never, Never> {
    callback.order.append(callback.number)
    return GatherStep<R>.run(callback.gathering, input)
  }
}
