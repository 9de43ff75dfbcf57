import Overmorrow
import OvermorrowTesting
import Testing

/// Cancellation of long chains and of promises with many children.
@Suite(.heavy) struct CancellationScaleTests {
  @Test("3.2 a chain of a million links is cancelled and freed on a small stack")
  func longChain() async throws {
    let tracker = Tracker()
    let isCancelled = try await onSmallStack {
      let probe = CancelProbe<Tracker.Tracked, Flaw>(complying: true)
      probe.resolver.onRequestCancel(on: .immediate, tracker.callback())
      var end = probe.take()
      for _ in 0..<scaled(1_000_000) { end = end.makeChild() }
      end.requestCancel()
      return probe.requestCount == 1 && end.result?.isCancelled == true
    }
    #expect(isCancelled)
    #expect(tracker.count == 0)
  }

  @Test("3.2 an unresolved chain that was asked to cancel is freed on a small stack")
  func longChainDropped() async throws {
    let tracker = Tracker()
    let requests = try await onSmallStack {
      let probe = IntProbe()
      let object = tracker.make()
      var end = probe.take()
      for _ in 0..<scaled(100_000) {
        end = end.map(on: .immediate) { value in withExtendedLifetime(object) { value + 1 } }
      }
      end.requestCancel()
      end.requestCancel()
      return probe.requestCount
    }
    #expect(requests == 1)
    #expect(tracker.count == 0)
  }

  @Test("3.2 a request is passed up a held chain when its last handle is released", arguments: [true, false])
  func heldLinks(isFromTheEnd: Bool) async throws {
    let requests = try await onSmallStack {
      let probe = IntProbe()
      var links = [probe.take()]
      for index in 0..<scaled(100_000) { links.append(links[index].makeChild()) }
      let end = links.removeLast()
      end.requestCancel()
      let before = probe.requestCount
      // From the end that received the request: each release lets the request go on to the previous link.
      while isFromTheEnd, links.count > 1 { links.removeLast() }
      let held = probe.requestCount
      links = []
      return [before, held, probe.requestCount]
    }
    #expect(requests == [0, 0, 1])
  }

  @Test("3.2 requests of 100,000 children on two threads run the handler once, after the last")
  func manyChildren() async {
    struct Round: Sendable {
      static let count = scaled(100_000)
      let resolver: Promise<Int, Flaw>.Resolver
      let children: [Promise<Int, Flaw>]
      /// The number of children that have begun to request cancellation, counted before the request.
      let asked = Counter()
      let askedAtRequest = Recorder<Int>()

      init() {
        let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
        self.resolver = resolver
        children = (0..<Round.count).map { _ in promise.makeChild() }
        resolver.onRequestCancel(on: .immediate) { [asked, askedAtRequest] _ in askedAtRequest.record(asked.count) }
      }

      func ask(from first: Int) {
        for index in stride(from: first, to: Round.count, by: 2) {
          asked.increment()
          children[index].requestCancel()
        }
      }
    }
    await race(
      rounds: 2, { Round() }, { $0.ask(from: 0) }, { $0.ask(from: 1) },
      check: { round in
        round.askedAtRequest.entries == [Round.count] ? nil : "asked after \(round.askedAtRequest.entries)"
      })
  }

  @Test("3.2 cancelling the start of a flatMap loop of 100,000 rounds cancels its last promise")
  func longLoop() async throws {
    let tracker = Tracker()
    let result = try await onSmallStack {
      let executor = ManualContext()
      let last = IntProbe(complying: true)
      let object = tracker.make()
      @Sendable func round(_ number: Int) -> Promise<Int, ProbeError> {
        Promise<Int, ProbeError>(fulfilled: number).flatMap(on: executor.context) { number in
          withExtendedLifetime(object) { number == 0 ? last.take() : round(number - 1) }
        }
      }
      let outer = round(scaled(100_000))
      executor.runAll()
      outer.requestCancel()
      return (last.requestCount, outer.result)
    }
    #expect(result.0 == 1)
    #expect(result.1 == .cancelled)
    #expect(tracker.count == 0)
  }

  @Test("3.6 a request to a when of a thousand inputs asks each input once")
  func wideWhen() {
    let probes = (0..<1000).map { _ in IntProbe(complying: true) }
    let all = when(fulfilled: probes.map { $0.take() })
    all.requestCancel()
    #expect(probes.allSatisfy { $0.requestCount == 1 })
    #expect(all.result?.isCancelled == true)
  }
}
