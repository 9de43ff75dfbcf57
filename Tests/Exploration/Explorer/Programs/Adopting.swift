@testable import Overmorrow

extension Program {
  static let adopting: [Program] = [
    Program("a request reaches what is adopted meanwhile") { run in
      let (inner, inside) = Subject.makeWithResolver()
      let (promise, resolver) = Subject.makeWithResolver()
      inside.comply(in: run)
      let (source, adopting) = (run.own(inside), run.own(resolver))
      let (adopted, observer) = (run.own(inner), run.own(promise))
      run.thread { observer.value.requestCancel() }
      run.thread {
        adopting.value.resolve(with: adopted.value)
        adopting.drop()
        adopted.drop()
      }
      run.atEnd {
        run.expectLog(["asked"])
        run.expect(observer.value.result?.isCancelled == true, "the adopter is not cancelled")
        observer.drop()
        source.drop()
      }
    },
    Program("adopt against resolve") { run in
      let (outer, outerResolver) = Subject.makeWithResolver()
      let (inner, innerResolver) = Subject.makeWithResolver()
      let (adopter, source) = (run.own(outerResolver), run.own(innerResolver))
      let adopted = run.own(inner)
      outer.observe(run)
      run.thread { adopter.adopt(adopted) }
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      run.atEnd { run.expectLog(["value 1"]) }
      run.expectNoWitness()
    },
    Program("adopt against resolve against register") { run in
      let (outer, outerResolver) = Subject.makeWithResolver()
      let (inner, innerResolver) = Subject.makeWithResolver()
      let (adopter, source) = (run.own(outerResolver), run.own(innerResolver))
      let (adopted, observer) = (run.own(inner), run.own(outer))
      run.thread { adopter.adopt(adopted) }
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      run.thread(with: observer) { $0.observe(run) }
      run.atEnd { run.expectLog(["value 1"]) }
      run.expectNoWitness()
    },
    Program("a step returns a promise, against resolve of that") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (inner, innerResolver) = Subject.makeWithResolver()
      let (first, second) = (run.own(resolver), run.own(innerResolver))
      promise.flatMap(on: .immediate) { [inner] _ in inner }.observe(run)
      run.thread(with: first) { $0.fulfill(with: Witness(1)) }
      run.thread(with: second) { $0.fulfill(with: Witness(2)) }
      run.atEnd { run.expectLog(["value 2"]) }
      run.expectNoWitness()
    },
    Program("adopt against a request") { run in
      let (outer, outerResolver) = Subject.makeWithResolver()
      let (inner, innerResolver) = Subject.makeWithResolver()
      innerResolver.comply(in: run)
      let (adopter, source) = (run.own(outerResolver), run.own(innerResolver))
      let (adopted, observer) = (run.own(inner), run.own(outer))
      outer.observe(run)
      run.thread { adopter.adopt(adopted) }
      run.thread(with: observer) { $0.requestCancel() }
      run.atEnd {
        run.expectLog(["asked", "cancelled"])
        source.drop()
      }
    },
    Program("adopt against a request and resolve") { run in
      let (outer, outerResolver) = Subject.makeWithResolver()
      let (inner, innerResolver) = Subject.makeWithResolver()
      let (adopter, source) = (run.own(outerResolver), run.own(innerResolver))
      let (adopted, observer) = (run.own(inner), run.own(outer))
      outer.observe(run)
      run.thread { adopter.adopt(adopted) }
      run.thread(with: observer) { $0.requestCancel() }
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      run.atEnd { run.expectLog(["value 1"]) }
      run.expectNoWitness()
    },
    Program("adopt against a request and a handler") { run in
      let (outer, outerResolver) = Subject.makeWithResolver()
      let (inner, innerResolver) = Subject.makeWithResolver()
      let (adopters, source) = (run.share(outerResolver, 2), run.own(innerResolver))
      let (adopted, observer) = (run.own(inner), run.own(outer))
      run.thread { adopters[0].adopt(adopted) }
      run.thread(with: adopters[1]) { $0.onRequestCancel(on: .immediate) { _ in run.count("asked") } }
      run.thread(with: observer) { $0.requestCancel() }
      run.atEnd {
        run.expectLog(["asked"])
        run.expect(source.value.hasRequestedCancel, "the request has not arrived")
        source.drop()
      }
    },
    Program("a cycle of two, closed from both sides") { run in
      let (first, firstResolver) = Subject.makeWithResolver()
      let (second, secondResolver) = Subject.makeWithResolver()
      let (one, two) = (run.own(firstResolver), run.own(secondResolver))
      let (ones, twos) = (run.own(first), run.own(second))
      run.thread(with: one) { $0.resolve(with: twos.value) }
      run.thread(with: two) { $0.resolve(with: ones.value) }
      run.atEnd {
        run.expect(ones.value.result?.text == "cancelled", "the first one is not cancelled")
        run.expect(twos.value.result?.text == "cancelled", "the second one is not cancelled")
        ones.drop()
        twos.drop()
      }
    },
    Program("a cycle of two through steps, closed from both sides", .bounded(preemptions: 3, stale: 2)) { run in
      let (first, firstResolver) = Subject.makeWithResolver()
      let (second, secondResolver) = Subject.makeWithResolver()
      let (one, two) = (run.own(firstResolver), run.own(secondResolver))
      let (ones, twos) = (run.own(first.map(on: .immediate) { $0 }), run.own(second.map(on: .immediate) { $0 }))
      run.thread(with: one) { $0.resolve(with: twos.value) }
      run.thread(with: two) { $0.resolve(with: ones.value) }
      run.atEnd {
        run.expect(ones.value.result?.text == "cancelled", "the first one is not cancelled")
        run.expect(twos.value.result?.text == "cancelled", "the second one is not cancelled")
        ones.drop()
        twos.drop()
      }
    },
    Program("a cycle of two that ends in an older promise", .bounded(preemptions: 3, stale: 2)) { run in
      // The adopters were made after what they adopt, or before; a third one adopts the whole.
      let (first, firstResolver) = Subject.makeWithResolver()
      let (second, secondResolver) = Subject.makeWithResolver()
      let (third, thirdResolver) = Subject.makeWithResolver()
      let step = first.map(on: .immediate) { $0 }
      let (one, two, three) = (run.own(firstResolver), run.own(secondResolver), run.own(thirdResolver))
      let promises = [run.own(second), run.own(third), run.own(step)]
      run.thread(with: one) { $0.resolve(with: promises[0].value) }
      run.thread(with: two) { $0.resolve(with: promises[1].value) }
      run.thread(with: three) { $0.resolve(with: promises[2].value) }
      run.atEnd {
        for promise in promises {
          run.expect(promise.value.result?.text == "cancelled", "a link is not cancelled")
          promise.drop()
        }
      }
    },
    Program("a cycle of three, closed from three sides", .bounded(preemptions: 3, stale: 1)) { run in
      let links = (0..<3).map { _ in Subject.makeWithResolver() }
      let resolvers = links.map { run.own($0.1) }
      let promises = links.map { run.own($0.0) }
      for index in 0..<3 {
        run.thread(with: resolvers[index]) { $0.resolve(with: promises[(index + 1) % 3].value) }
      }
      run.atEnd {
        for promise in promises {
          run.expect(promise.value.result?.text == "cancelled", "a link is not cancelled")
          promise.drop()
        }
      }
    },
    Program("a cycle through a step, closed while somebody asks") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let child = promise.map(on: .immediate) { $0 }
      let (adopter, adopted, observer) = (run.own(resolver), run.own(child), run.own(promise))
      run.thread(with: adopter) { $0.resolve(with: adopted.value) }
      run.thread(with: observer) { $0.requestCancel() }
      run.atEnd {
        run.expect(adopted.value.result?.text == "cancelled", "the cycle is not cancelled")
        adopted.drop()
      }
    },
    Program("a link that nobody sees is taken out of a chain of adopters") { run in
      let chain = AdoptingChain(run)
      chain.outer.value.observe(run)
      run.thread { chain.resolveMiddle() }
      run.thread { chain.middle.drop() }
      run.thread(with: chain.outer) { $0.requestCancel() }
      run.atEnd {
        chain.source.value.fulfill(with: Witness(1))
        chain.source.drop()
        run.expectLog(["value 1"])
      }
      run.expectNoWitness()
    },
    Program("a link that somebody sees stays in a chain of adopters") { run in
      let chain = AdoptingChain(run)
      run.thread { chain.resolveMiddle() }
      run.thread { chain.middle.value.observe(run) }
      run.atEnd {
        chain.source.value.fulfill(with: Witness(1))
        chain.source.drop()
        run.expectLog(["value 1"])
        run.expect(chain.outer.value.result?.text == "value 1", "the result has not come to the end of the chain")
        chain.outer.drop()
        chain.middle.drop()
      }
      run.expectNoWitness()
    },
    Program("a request to a link goes on, whether or not that is taken out") { run in
      let chain = AdoptingChain(run)
      run.thread { chain.resolveMiddle() }
      run.thread(with: chain.middle) { $0.requestCancel() }
      run.atEnd {
        run.expect(chain.source.value.hasRequestedCancel, "the request has not arrived")
        chain.source.drop()
        chain.outer.drop()
      }
      run.expectNoWitness()
    },
    Program("a request goes on through a link that is taken out") { run in
      let chain = AdoptingChain(run)
      chain.middle.drop()
      run.thread { chain.resolveMiddle() }
      run.thread { chain.outer.value.requestCancel() }
      run.atEnd {
        run.expect(chain.source.value.hasRequestedCancel, "the request has not arrived")
        chain.source.drop()
        chain.outer.drop()
      }
      run.expectNoWitness()
    },
  ]
}

/// A step that adopts another one, which is about to adopt a third promise.
private struct AdoptingChain {
  let outer: Owned<Subject>
  let middle: Owned<Subject>
  /// What resolves the third one.
  let source: Owned<Subject.Resolver>
  private let adopted: Owned<Subject>
  private let start: Owned<Subject.Resolver>

  init(_ run: Run) {
    let (first, firstResolver) = Subject.makeWithResolver()
    let (inner, innerResolver) = Subject.makeWithResolver()
    let step = first.flatMap(on: .immediate) { [inner] _ in inner }
    outer = run.own(Subject(fulfilled: Witness(0)).flatMap(on: .immediate) { [step] _ in step })
    middle = run.own(step)
    source = run.own(innerResolver)
    adopted = run.own(inner)
    start = run.own(firstResolver)
  }

  /// The step in the middle runs, and adopts.
  func resolveMiddle() {
    start.value.fulfill(with: Witness(0))
    start.drop()
    adopted.drop()
  }
}
