import Dispatch
import Testing

@testable import Overmorrow
@testable import OvermorrowDiagnostics

/// The registry of pending promises with many promises and several threads.
@Suite(.heavy) struct PendingScaleTests {
  private typealias Subject = Promise<Int, Reason>

  @Test("15.20 threads may list pending promises while others make, resolve, cancel and free them")
  func race() {
    let resolved = Counter()
    _ = PromiseDiagnostics.checking {
      let scope = PromiseScope.current
      DispatchQueue.concurrentPerform(iterations: 4) { index in
        PromiseScope.run(in: scope) {
          if index == 0 {
            for _ in 0..<40 { _ = PromiseDiagnostics.pending().description }
            return
          }
          for round in 0..<500 {
            let (promise, resolver) = Subject.makeWithResolver()
            let steps = (0..<3).map { _ in promise.map(on: .immediate) { $0 }.map(on: .utility) { $0 } }
            let all = when(fulfilled: steps, cancelOnFailure: round % 2 == 0)
            let (adopter, second) = Promise<[Int], Reason>.makeWithResolver()
            second.resolve(with: all)
            adopter.always(on: .immediate) { _ in resolved.increment() }
            _ = promise.debugDescription + adopter.debugDescription
            switch round % 3 {
            case 0: resolver.fulfill(with: 1)
            case 1: adopter.requestCancel()
            default: resolver.reject(with: "no")
            }
          }
        }
      }
    }
    #expect(resolved.count > 0)
  }

  #if os(macOS) || os(Linux)
    @Test("15.20 the oldest 10,000 promises are listed, with the number of the others", .enabled(if: isLevelUnset))
    func limit() async {
      await #expect(processExitsWith: .success) {
        PromiseDiagnostics.level = .report
        let pairs = (0..<PendingPromises.limit + 7).map { _ in Subject.makeWithResolver() }
        let pending = PromiseDiagnostics.pending()
        #expect(pending.entries.map(\.id) == Array(1...PendingPromises.limit))
        #expect(pending.omitted == 7)
        #expect(pending.description.hasPrefix("10007 promises are pending.\n"))
        #expect(pending.description.hasSuffix("\nand 7 more"))
        withExtendedLifetime(pairs) {}
      }
    }

    @Test("15.20 a long chain is listed without recursion, in lines of bounded length", .enabled(if: isLevelUnset))
    func chain() async {
      await #expect(processExitsWith: .success) {
        PromiseDiagnostics.level = .report
        let (first, resolver) = Subject.makeWithResolver()
        var chain = [first]
        for _ in 1..<PendingPromises.limit { chain.append((chain.last ?? first).map(on: .immediate) { $0 }) }
        let text = onThread(stackSize: 512 << 10) { PromiseDiagnostics.pending().description }
        let lines = text.split(separator: "\n")
        #expect(lines.count == PendingPromises.limit + 1)
        #expect((lines.map(\.utf8.count).max() ?? 0) < 200)
        resolver.cancel()
      }
    }
  #endif
}
