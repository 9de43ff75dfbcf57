import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

@Suite(.inTurn) struct RightsTests {
  @Test("a claim that is dropped unused stops the program")
  func droppedClaim() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (_, resolver) = Promise<Int, Never>.makeWithResolver()
      _ = resolver.object.claim(for: .value)
    }
    #expect(hasSaid(result, "the claim on a promise was dropped"))
  }

  @Test("a claim is given once, and a refused claim may be dropped")
  func claimOnce() {
    let (promise, resolver) = Promise<Int, Never>.makeWithResolver()
    if let claim = resolver.object.claim(for: .value) { claim.fulfill(with: 1) }
    _ = resolver.object.claim(for: .error)
    _ = promise.handle.core.claimFromSide()
    #expect(promise.result == .value(1))
  }
}
