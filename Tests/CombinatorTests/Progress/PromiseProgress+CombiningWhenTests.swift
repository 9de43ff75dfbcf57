import OvermorrowTesting
import Testing

@testable import Overmorrow

/// The progress of several promises taken together, which ends as their values do.
@Suite(.inTurn) struct CombinedProgressTests {
  private typealias Subject = Promise<Int, Refusal>

  private struct Part {
    let promise: Subject
    let resolver: Subject.Resolver
    let progress: PromiseProgress

    init() {
      let resolvers = Holder<Subject.Resolver>()
      (promise, progress) = Subject.withProgress(on: .immediate, total: 10) { resolver, _ in
        resolvers.value = resolver
      }
      guard let resolver = resolvers.value else { preconditionFailure("the body has not run") }
      resolvers.value = nil
      self.resolver = resolver
    }
  }

  /// The values of the parts, and their progress, which ends with them.
  private func combine(_ parts: [Part], weights: [Int64]) -> (Promise<[Int], Refusal>, PromiseProgress) {
    let whole = when(fulfilled: parts.map(\.promise))
    let weighed = zip(parts, weights).map { (progress: $0.progress, weight: $1) }
    return (whole, PromiseProgress(combining: weighed).ending(with: whole))
  }

  @Test(
    "10.2 12.8 when: the progress of the parts is weighed and combined, never goes back, and is complete with the values"
  )
  func weighed() {
    let parts = (0..<3).map { _ in Part() }
    let (whole, progress) = combine(parts, weights: [1, 2, 1])
    let heard = Recorder<PromiseProgress.Step>()
    progress.onProgress(on: .immediate) { heard.record($0) }
    parts[1].progress.report(completed: 5)
    #expect(progress.current.fraction == 0.25)
    parts[2].progress.report(completed: 10)
    #expect(progress.current.fraction == 0.5)
    parts[2].progress.report(completed: 1)
    for (number, part) in parts.enumerated() { part.resolver.fulfill(with: number) }
    #expect(whole.result == .value([0, 1, 2]))
    let steps = heard.entries
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.completed <= $1.completed })
    #expect((steps.last?.isFinished, steps.last?.fraction) == (true, 1))
  }

  @Test(
    "10.2 12.8 when: a part that fails ends the progress where it is, although others go on",
    arguments: [Ending.error, .cancelled])
  func fails(_ ending: Ending) {
    let parts = [Part(), Part()]
    let (whole, progress) = combine(parts, weights: [1, 1])
    parts[0].progress.report(completed: 5)
    parts[1].resolver.resolve(with: ending.result(1, .first))
    #expect(whole.result?.value == nil && whole.result != nil)
    #expect((progress.current.isFinished, progress.current.fraction) == (true, 0.25))
    parts[0].progress.report(completed: 9)
    #expect(progress.current.fraction == 0.25)
  }
}
