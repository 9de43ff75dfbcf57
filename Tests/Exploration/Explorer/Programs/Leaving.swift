@testable import Overmorrow
@testable import OvermorrowEngine

extension Program {
  /// Waiters that end before their source does.
  static let leaving: [Program] = [
    Program("an observer ends while its source resolves") { run in
      let (promise, source) = run.subject()
      let first = run.own(promise.ownedObserver(run, "first "))
      promise.observe(run, "second ")
      promise.observe(run, "third ")
      run.race(source.fulfil, first.drop)
      run.expectAtEnd(["second value 1", "third value 1"], ["first value 1", "second value 1", "third value 1"])
    },
    Program("two observers end while their source resolves", .narrow) { run in
      let (promise, source) = run.subject()
      let ending = [run.own(promise.ownedObserver(run, "1 ")), run.own(promise.ownedObserver(run, "2 "))]
      promise.observe(run, "3 ")
      run.race(source.fulfil, ending[0].drop, ending[1].drop)
      run.expectAtEnd(
        run.log.last == "3 value 1" && run.log == run.log.sorted(),
        "the observers did not run in the order of their registration")
    },
    Program("two observers end while a third one registers", .narrow) { run in
      let (observer, source) = run.ownSubject()
      let ending = [run.own(observer.value.ownedObserver(run, "1 ")), run.own(observer.value.ownedObserver(run, "2 "))]
      observer.value.observe(run, "3 ")
      observer.value.observe(run, "4 ")
      run.race(ending[0].drop, ending[1].drop, { observer.value.observe(run, "5 ") })
      run.expectAtEnd(
        observer.value.waiterCount <= 4, "the list keeps observers that have ended: \(observer.value.waiterCount)")
      run.atEnd { source.value.fulfill(with: Witness(1)) }
      run.expectAtEnd(["3 value 1", "4 value 1", "5 value 1"])
    },
    Program("an observer that ends removes another one that is ending") { run in
      let (observer, source) = run.ownSubject()
      let ending = (0..<3).map { run.own(observer.value.ownedObserver(run, "\($0) ")) }
      ending[0].drop()
      observer.value.observe(run, "3 ")
      observer.value.observe(run, "4 ")
      run.race(ending[1].drop, ending[2].drop)
      run.expectAtEnd(
        observer.value.waiterCount <= 3, "the list keeps observers that have ended: \(observer.value.waiterCount)")
      run.atEnd { source.value.fulfill(with: Witness(1)) }
      run.expectAtEnd(["3 value 1", "4 value 1"])
    },
    Program("an observer of a step ends while the step adopts, before an adopter of the step") { run in
      let (promise, root) = run.subject()
      let (inner, source) = run.subject()
      let (outer, outerResolver) = Subject.makeWithResolver()
      let step = promise.flatMap(on: .immediate) { _ in inner }
      let first = run.own(step.ownedObserver(run, "1 "))
      outerResolver.resolve(with: step)
      outer.observe(run, "outer ")
      run.race(root.fulfil, first.drop)
      run.atEnd { source.value.fulfill(with: Witness(2)) }
      run.expectAtEnd(["outer value 2"])
    },
    Program("a step with an ended sibling ends unobserved while the promise it adopted resolves") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (inner, innerResolver) = Subject.makeWithResolver()
      // Another observer waits for the adopted promise, so the request ends at the step.
      inner.observe(run, "inner ")
      let first = promise.ownedObserver(run, "1 ")
      let step = promise.flatMap(on: .immediate) { _ in inner }
      promise.observe(run, "2 ")
      _ = consume first
      resolver.fulfill(with: Witness(1))
      let (source, adopter) = (run.own(innerResolver), run.own(step))
      run.race(adopter.requestCancel, { source.use { $0.fulfill(with: Witness(2)) } })
      run.expectAtEnd(inAnyOrder: ["2 value 1", "inner value 2"])
    },
    Program("an adopter ends unobserved while it starts to adopt") { run in
      let (adopted, source) = run.ownSubject()
      let (adopter, resolver) = run.ownSubject()
      run.race({ resolver.use { $0.resolve(with: adopted.value) } }, adopter.requestCancel)
      run.atEnd { adopted.drop() }
      run.expectRequestAtEnd(of: source)
      run.atEnd { source.value.fulfill(with: Witness(1)) }
    },
    Program("a sole adopter ends unobserved while the adopted promise adopts another one") { run in
      let (last, source) = run.ownSubject()
      let (middle, resolver) = run.subject()
      let (outer, outerResolver) = Subject.makeWithResolver()
      let adopter = run.own(outer)
      outerResolver.resolve(with: middle)
      run.thread {
        resolver.use { $0.resolve(with: last.value) }
        last.drop()
      }
      run.thread(with: adopter) { $0.requestCancel() }
      run.expectRequestAtEnd(of: source)
      run.atEnd { source.value.fulfill(with: Witness(1)) }
    },
  ]
}

extension Promise where Value == Witness {
  /// Records the result, unless the handle has been released.
  fileprivate func ownedObserver(_ run: Run, _ name: String) -> PromiseCancellable {
    always(on: .immediate) { run.record(name + $0.text) }.owned()
  }
}

extension Promise {
  /// The number of cores in the list, including those that have ended. No other thread may use the promise while this
  /// runs.
  var waiterCount: Int {
    var (waiter, count) = (handle.core.state.newestWaiter, 0)
    while let core = waiter {
      count += 1
      waiter = core.next
    }
    return count
  }
}
