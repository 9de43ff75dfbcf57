import Overmorrow
import Testing

/// A combinator as a value, so that what is true of several of them can be said once.
enum WhenForm: CaseIterable {
  case fulfilled, tuple, dictionary, bounded, first, firstFulfilled

  /// Those that give all values.
  static let gathering: [WhenForm] = [.fulfilled, .tuple, .dictionary, .bounded]

  /// Combines inputs, two or three for a tuple. The result is made the same for all forms: a list of all values, or of
  /// the one that came first.
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

  /// Whether one value decides, and the others do not count.
  var isRace: Bool { !WhenForm.gathering.contains(self) }

  /// How one input can end and decide.
  fileprivate var deciding: [Ending] {
    switch self {
    case .fulfilled, .tuple, .dictionary, .bounded: [.error, .cancelled]
    case .first: [.value, .error]
    case .firstFulfilled: [.value]
    }
  }

  /// How inputs can end without deciding, as long as there are others.
  var harmless: [Ending] { Ending.allCases.filter { !deciding.contains($0) } }
}

/// A combinator, and how one of its inputs ends and decides.
struct Decision: CustomTestStringConvertible {
  let form: WhenForm
  let ending: Ending

  static let all = WhenForm.allCases.flatMap { form in form.deciding.map { Decision(form: form, ending: $0) } }

  /// Those that look at all inputs, although one of them has decided before. (A bounded one starts no more.)
  static let lookingAtAll = all.filter { $0.form != .bounded }

  var testDescription: String { "\(form), by \(ending)" }

  func result<Value: Sendable>(_ value: Value) -> PromiseResult<Value, Flaw> { ending.result(value, "no") }

  /// What the combinator is resolved with.
  var outcome: PromiseResult<[Int], Flaw> { result([7]) }

  /// Lets an input decide.
  func decide(_ input: Input) { input.resolver.resolve(with: result(7)) }
}
