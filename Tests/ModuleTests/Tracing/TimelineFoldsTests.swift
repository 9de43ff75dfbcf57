import Overmorrow
import OvermorrowFlow
import OvermorrowTesting
import TestSupport
import Testing

@testable import OvermorrowTracing

/// The tree of the lines on a timeline's page.
@Suite(.inTurn) struct TimelineFoldsTests {
  private typealias Subject = Promise<Int, Flaw>

  /// Records a closure, and returns the tree of its promises: for each line, its depth and its number of lines inside.
  private func tree(limit: Int = .max, depth: Int = 8, of body: () -> [any Sendable]) -> [String] {
    TimelineFolds(Timeline.recordedHere(body)).rows(limit: limit, depth: depth).map { "\($0.depth):\($0.inside)" }
  }

  @Test("15.33 the steps of a chain and its branches fold into one line")
  func chain() {
    let rows = tree {
      let (promise, resolver) = Subject.makeWithResolver()
      let first = promise.map(on: .immediate) { $0 + 1 }
      let branches = [first.map(on: .immediate) { $0 + 1 }, promise.map(on: .immediate) { $0 }]
      resolver.fulfill(with: 1)
      return [branches, Subject(fulfilled: 1)]
    }
    #expect(rows == ["0:3", "1:0", "1:0", "1:0", "0:0"])
  }

  @Test("15.33 the promise that a callback returns folds into the chain that adopts the promise")
  func adopted() {
    let rows = tree {
      let outer = Subject(fulfilled: 1).flatMap(on: .immediate) { number in
        Subject(fulfilled: number).map(on: .immediate) { $0 + 1 }
      }
      return [outer]
    }
    #expect(rows == ["0:3", "1:0", "1:1", "2:0"])
  }

  @Test("15.33 the inputs of a when fold into its line, without its internal steps")
  func inputs() {
    let rows = tree {
      let inputs = (0..<3).map { Subject(fulfilled: $0).map(on: .immediate) { $0 } }
      let all: Promise<[Int], Flaw> = when(fulfilled: inputs)
      return [all]
    }
    #expect(rows == ["0:6", "1:1", "2:0", "1:1", "2:0", "1:1", "2:0"])
  }

  @Test("15.33 the inputs of a bounded when fold into its line")
  func bounded() {
    let rows = tree {
      [when(fulfilled: 0..<3, maxConcurrent: 2, on: .immediate) { Subject(fulfilled: $0) }]
    }
    #expect(rows == ["0:3", "1:0", "1:0", "1:0"])
  }

  @Test("15.33 the promise of a limiter's job folds into the line of the job")
  func job() {
    let limiter = PromiseLimiter(width: 1)
    let rows = tree {
      let (promise, resolver) = Subject.makeWithResolver()
      let jobs = [
        limiter.run(on: .immediate) { promise.map(on: .immediate) { $0 } },
        limiter.run(on: .immediate) { Subject(fulfilled: 2) },
      ]
      resolver.fulfill(with: 1)
      return [jobs]
    }
    #expect(rows == ["0:2", "1:1", "2:0", "0:1", "1:0"])
  }

  @Test("15.33 all attempts of a retry fold into its line")
  func attempts() {
    let rows = tree {
      let policy = PromiseRetryPolicy<Flaw>(attempts: 3)
      return [
        Subject.retry(policy, on: .immediate) { number in
          number < 3 ? Subject(rejected: "no") : Subject(fulfilled: number)
        }
      ]
    }
    #expect(rows.first == "0:\(rows.count - 1)")
    #expect(rows.count >= 4)
  }

  @Test("15.33 a promise that several others wait for is inside the first of them")
  func shared() {
    let rows = tree {
      let (promise, resolver) = Subject.makeWithResolver()
      let waiting = [when(first: [promise]), when(first: [promise])]
      resolver.fulfill(with: 1)
      return [waiting]
    }
    #expect(rows == ["0:1", "1:0", "0:0"])
  }

  @Test("15.33 chains that wait for one another have one outermost chain")
  func mutual() {
    let rows = tree {
      let (promise, resolver) = Subject.makeWithResolver()
      let gathered = when(first: [promise.map(on: .immediate) { $0 }])
      let adopting = promise.flatMap(on: .immediate) { _ in gathered }
      resolver.fulfill(with: 1)
      return [gathered, adopting]
    }
    #expect(rows == ["0:3", "1:2", "2:0", "2:0"])
  }

  @Test("15.33 folds have a largest depth, beyond which they are lines of one list")
  func deep() {
    @Sendable func nested(_ depth: Int) -> Subject {
      depth == 0 ? Subject(fulfilled: 0) : Subject(fulfilled: depth).flatMap(on: .immediate) { nested($0 - 1) }
    }
    let rows = tree(depth: 2) { [nested(5)] }
    let depths = rows.map { $0.prefix(1) }
    #expect(rows.count == 11)
    #expect(depths == ["0", "1", "1", "2", "2", "2", "2", "2", "2", "2", "2"])
  }

  @Test("15.33 of a long chain only the first promises have lines")
  func long() {
    let rows = tree(limit: 100) {
      var last = Subject(fulfilled: 0)
      for _ in 0..<scaled(20_000) { last = last.map(on: .immediate) { $0 } }
      return [last]
    }
    #expect(rows.count == 100)
    #expect(rows.first == "0:99")
  }
}
