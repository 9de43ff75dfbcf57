import Overmorrow

/// A combinator whose inputs several threads resolve at once.
struct WhenRound<Output: Sendable & Equatable, Failure: Sendable & Equatable>: Sendable {
  let all: Promise<Output, Failure>
  let inputs: [Input]
  private let observed = Counter()

  init(_ count: Int, _ combine: ([Promise<Int, Flaw>]) -> Promise<Output, Failure>) {
    (all, inputs) = Input.feed(count, to: combine)
    all.always(on: .immediate) { [observed] _ in observed.increment() }
  }

  /// Returns bodies of threads, each of which handles its share of the inputs.
  static func threads(
    _ count: Int, _ resolve: @escaping @Sendable (Int, Promise<Int, Flaw>.Resolver) -> Void
  ) -> [@Sendable (WhenRound) -> Void] {
    (0..<count).map { part in
      { round in
        for index in stride(from: part, to: round.inputs.count, by: count) {
          resolve(index, round.inputs[index].resolver)
        }
      }
    }
  }

  /// Returns a fault unless the result is one of these and was delivered once.
  func finding(_ possible: [PromiseResult<Output, Failure>]) -> String? {
    guard let result = all.result, possible.contains(result), observed.count == 1 else {
      return "\(all), observed \(observed.count) times, asked \(requests(inputs))"
    }
    return nil
  }
}
