import Dispatch
import OvermorrowTesting
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

/// The debug descriptions of contexts, chains, references and sequences.
@Suite(.inTurn) struct PartDescribingTests {
  private typealias Subject = Promise<Int, Flaw>

  private actor Desk {}

  private final class Executor: PromiseExecutor {
    func enqueue(_ work: @escaping @Sendable () -> Void) { work() }
  }

  private final class Owner: Sendable {}

  @Test("15.37 a context describes its case and its queue, actor or executor")
  func contexts() {
    let named: [PromiseContext] = [
      .main, .background, .utility, .default, .userInitiated, .userInteractive, .immediate,
    ]
    #expect(
      named.map { "\($0)" } == [
        "main", "background", "utility", "default", "userInitiated", "userInteractive", "immediate",
      ])
    #expect("\(PromiseContext.queue(DispatchQueue(label: "disk")))" == "queue(disk)")
    #expect("\(PromiseContext.queue(DispatchQueue(label: "")))" == "queue(without a label)")
    #expect("\(PromiseContext.actor(Desk()))" == "actor(Desk)")
    #expect("\(PromiseContext.nowOr(.nowOr(.executor(Executor()))))" == "nowOr(nowOr(executor(Executor)))")
  }

  @Test("15.37 a lazy promise describes its place, and its promise once it has started")
  func lazy() {
    let line = #line + 1
    let lazy = LazyPromise<Int, Flaw>(on: .nowOr(.utility)) { _ in }
    let text = "not started, made at \(#fileID):\(line), body on utility"
    #expect(String(reflecting: lazy) == "LazyPromise<Int, Flaw>(\(text))")
    #expect(Mirror(reflecting: lazy).children.map { "\($0.label ?? ""): \($0.value)" } == ["state: \(text)"])
    let started = LazyPromise<Int, Flaw>(on: .immediate) { $0.fulfill(with: 7) }
    _ = started.promise
    #expect(String(reflecting: started) == "LazyPromise<Int, Flaw>(Promise<Int, Flaw>(value(7)))")
    #expect(Mirror(reflecting: started).children.first?.value as? Subject == started.promise)
  }

  @Test("15.37 a bound chain describes its owner, its context, its token and its promise")
  func bound() {
    let token = PromiseInvalidationToken()
    var owner: Owner? = Owner()
    guard let chain = owner.map({ Subject(fulfilled: 7).bound(to: $0, token: token, defaultContext: .utility) }) else {
      return
    }
    let rest = "default context utility, \(token.debugDescription), Promise<Int, Flaw>(value(7))"
    #expect(String(reflecting: chain) == "BoundPromise(of Owner, which exists, \(rest))")
    owner = nil
    #expect(String(reflecting: chain) == "BoundPromise(of Owner, which no longer exists, \(rest))")
  }

  @Test("15.37 a cancellable describes its unresolved promise without retaining it")
  func cancellables() {
    let (promise, resolver) = Subject.makeForLibrary(at: .library)
    let (reference, owner) = (promise.cancellable, promise.owned())
    #expect(String(reflecting: reference) == "PromiseCancellable(unresolved, waits for its resolver)")
    #expect(String(reflecting: owner) == "PromiseCancellable(owns its chain, unresolved, waits for its resolver)")
    resolver.fulfill(with: 1)
    #expect(String(reflecting: reference) == "PromiseCancellable(resolved or released)")
  }

  @Test("15.37 a completion order describes how many of its promises are resolved")
  func order() {
    let (promise, resolver) = Subject.makeWithResolver()
    let order = PromiseCompletionOrder(of: [promise, Subject(fulfilled: 1)])
    #expect(String(reflecting: order) == "PromiseCompletionOrder<Int, Flaw>(1 of 2 promises resolved)")
    resolver.cancel()
  }
}
