import Overmorrow
import Testing

@Suite(.inTurn) struct StoredTokenTests {
  private final class Owner { let token = PromiseInvalidationToken() }

  @Test("3.5 3.11 the end of an object that stores a token asks its promises to cancel, and not before")
  func endOfOwner() {
    let probes = (0..<3).map { _ in IntProbe() }
    var owner: Owner? = Owner()
    for probe in probes { if let owner { probe.promise.requestCancelOnInvalidate(owner.token) } }
    #expect(probes.map(\.requestCount) == [0, 0, 0])
    #expect(owner != nil)
    owner = nil
    #expect(probes.map(\.requestCount) == [1, 1, 1])
  }

  @Test("3.5 the end of an object does not suppress callbacks, and reaches a promise that nobody holds")
  func callbacksRun() {
    let log = Recorder<PromiseResult<Int, ProbeError>>()
    let probe = IntProbe(complying: true)
    do {
      let owner = Owner()
      probe.take().always(on: .immediate) { log.record($0) }.requestCancelOnInvalidate(owner.token)
      #expect(log.entries.isEmpty)
      withExtendedLifetime(owner) {}
    }
    #expect(log.entries == [.cancelled])
  }
}
