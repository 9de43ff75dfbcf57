import Overmorrow
import Testing

/// A combinator as a value, so that one test can cover several of them.
enum WhenForm: CaseIterable {
  case fulfilled, tuple, dictionary, bounded, first, firstFulfilled

  /// The combinators that return all values.
  static let gathering: [WhenForm] = [.fulfilled, .tuple, .dictionary, .bounded]

  /// Combines inputs (two or three for a tuple). All forms return a list: of all values, or of the first value alone.
  func combine<Value: Sendable>(
    _ inputs: [Promise<Value, Flaw>], cancelling: Bool = false, joining: Bool = false
  ) -> Promise<[Value], Flaw> {
    switch self {
    case .fulfilled: return when(fulfilled: inputs, cancelOnFailure: cancelling, joining: joining)
    case .tuple where inputs.count == 2:
      let both = when(fulfilled: inputs[0], inputs[1], cancelOnFailure: cancelling, joining: joining)
      return both.map(on: .immediate) { [$0, $1] }
    case .tuple:
      let all = when(fulfilled: inputs[0], inputs[1], inputs[2], cancelOnFailure: cancelling, joining: joining)
      return all.map(on: .immediate) { [$0, $1, $2] }
    case .dictionary:
      let keyed = Dictionary(uniqueKeysWithValues: zip(inputs.indices, inputs))
      let all = when(fulfilled: keyed, cancelOnFailure: cancelling, joining: joining)
      return all.map(on: .immediate) { values in values.sorted { $0.key < $1.key }.map(\.value) }
    case .bounded:
      return when(
        fulfilled: inputs, maxConcurrent: .max, cancelOnFailure: cancelling, joining: joining, on: .immediate
      ) { $0 }
    case .first:
      let first = when(first: inputs, cancelRemaining: cancelling, joining: joining)
      return first.map(on: .immediate) { [$0] }
    case .firstFulfilled:
      let first = when(firstFulfilled: inputs, cancelRemaining: cancelling, joining: joining)
      return first.mapResult(on: .immediate) { $0.map { [$0] }.mapError { "\($0)" } }
    }
  }

  /// Whether a single value decides.
  var isRace: Bool { !WhenForm.gathering.contains(self) }

  /// The endings of an input that decide.
  fileprivate var deciding: [Ending] {
    switch self {
    case .fulfilled, .tuple, .dictionary, .bounded: [.error, .cancelled]
    case .first: [.value, .error]
    case .firstFulfilled: [.value]
    }
  }

  /// The endings of an input that do not decide while other inputs are pending.
  var harmless: [Ending] { Ending.allCases.filter { !deciding.contains($0) } }
}

/// A combinator, and an ending of one input that decides.
struct Decision: CustomTestStringConvertible {
  let form: WhenForm
  let ending: Ending

  static let all = WhenForm.allCases.flatMap { form in form.deciding.map { Decision(form: form, ending: $0) } }

  /// The combinators that look at all inputs even if one has already decided. (A bounded `when` starts no further
  /// inputs.)
  static let lookingAtAll = all.filter { $0.form != .bounded }

  var testDescription: String { "\(form), by \(ending)" }

  func result<Value: Sendable>(_ value: Value) -> PromiseResult<Value, Flaw> { ending.result(value, "no") }

  /// The result of the combinator.
  var outcome: PromiseResult<[Int], Flaw> { result([7]) }

  /// Resolves an input so that it decides.
  func decide(_ input: Input) { input.resolver.resolve(with: result(7)) }
}
