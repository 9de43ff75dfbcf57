import Dispatch
import Foundation
import Overmorrow
import OvermorrowFlow
import OvermorrowTesting
import Testing

/// The samples of the guide `Contexts.md` and of the comment on executors. `CoreTests` covers its other statements.
@Suite(.inTurn) struct ContextsGuideTests {
  private let events = Recorder<String>()

  private func log(_ event: String) { events.record(event) }

  // MARK: The two forms

  @Test("2.1 2.3 a closure runs on the given context, or on its own actor")
  @MainActor func twoForms() async {
    let (page, screen) = (Page(), Screen())
    _ = await page.load(Promise(fulfilled: "Saturn")).outcome()
    _ = await screen.load(Promise(on: .utility, fulfilled: "Saturn", after: .zero)).outcome()
    #expect(page.title == "SATURN" && screen.title == "Saturn")
  }

  @Test("1.22 a load of a main-actor method runs there, or on its given context")
  @MainActor func contexts() async {
    let (images, url) = (PromiseCache<String, String, any Error>(), "ada")
    @Sendable func load(_ url: String) -> Promise<String, any Error> { Promise(fulfilled: url) }

    let other = images.promise(for: url, on: .utility) { load($0) }  // on a global queue

    #expect(await other.outcome()?.value == "ada")
    #expect(await Gallery().show(url).outcome()?.value == "ada on main")
  }

  // MARK: Passes

  @Test("2.10 consecutive callbacks on the main queue run in one pass")
  @MainActor func mainPass() async {
    let title = Promise<String, Never>(fulfilled: "Saturn")

    title
      .map(on: .main) { title in
        DispatchQueue.main.async {
          log("the next pass")
        }
        return title.uppercased()
      }
      .then(on: .main) { title in
        log("show \(title)")
      }

    #expect(await events.entries(2) == ["show SATURN", "the next pass"])
  }

  @Test("2.17 1,000 consecutive steps on a queue run before other work of the queue")
  func queuePass() async {
    let queue = DispatchQueue(label: "guide")
    let (start, resolver) = Promise<Int, Never>.makeWithResolver()
    var chain = start.map(on: .queue(queue)) { number in
      queue.async { log("other work") }
      return number
    }
    for _ in 1...1500 {
      chain = chain.map(on: .queue(queue)) { number in
        log("step")
        return number + 1
      }
    }
    resolver.fulfill(with: 0)
    #expect(await chain.outcome() == .value(1500))
    #expect(await events.entries(1501).firstIndex(of: "other work") == 1000)
  }

  // MARK: immediate

  @Test("2.7 an immediate callback runs inside the call that resolves or registers")
  func immediate() async {
    let (answer, resolver) = Promise<Int, Never>.makeWithResolver()
    answer.then(on: .immediate) { log("first: \($0)") }
    log("fulfilling")
    resolver.fulfill(with: 42)
    log("fulfilled")
    answer.then(on: .immediate) { log("second: \($0)") }
    log("registered")

    #expect(await events.entries(5) == ["fulfilling", "first: 42", "fulfilled", "second: 42", "registered"])
  }

  @Test("2.7 steps after an immediate callback run before the next observer of its promise")
  func depthFirst() async {
    let (answer, resolver) = Promise<Int, Never>.makeWithResolver()
    answer.then(on: .immediate) { _ in log("before") }
      .then(on: .immediate) { _ in log("child") }
    answer.then(on: .immediate) { _ in log("after") }
    resolver.fulfill(with: 42)

    #expect(await events.entries(3) == ["before", "child", "after"])
  }

  @Test("2.7 2.16 immediate callbacks nest 24 deep, and deeper ones run later")
  func nesting() async {
    @Sendable func descend(from level: Int) {
      guard level <= 25 else { return }
      Promise<Int, Never>(fulfilled: level).then(on: .immediate) { level in
        log("in \(level)")
        descend(from: level + 1)
        log("out \(level)")
      }
    }
    descend(from: 1)

    let inward = (1...24).map { "in \($0)" }
    let outward = (1...23).reversed().map { "out \($0)" }
    #expect(await events.entries(50) == inward + ["out 24", "in 25", "out 25"] + outward)
  }

  // MARK: nowIfResolved

  @Test("2.8 2.9 a loaded picture is shown at once, and a later one with animation")
  @MainActor func nowOr() async {
    let view = AvatarView()
    show(Promise(fulfilled: "ada.png"), in: view)
    #expect(view.events == ["ada.png"])

    let (promise, resolver) = Promise<String, any Error>.makeWithResolver()
    show(promise, in: view)
    resolver.fulfill(with: "bob.png")
    #expect(view.events == ["ada.png"])
    // Registered later on the same queue, so it runs later.
    _ = await promise.map(on: .main) { _ in }.outcome()
    #expect(view.events == ["ada.png", "bob.png animated"])
  }

  // MARK: Executors

  @Test("2.1 callbacks run on an operation queue and on an event loop through an executor")
  func executors() async {
    let operations = OperationQueue()
    let executor = OperationQueueExecutor(operations)

    let sum = Promise<[Int], Never>(fulfilled: [1, 2, 3])
      .map(on: .executor(executor)) { $0.reduce(0, +) }

    #expect(await sum.outcome() == .value(6))

    let loop = ManualContext()
    let doubled = Promise<Int, Never>(fulfilled: 21).map(on: .executor(EventLoopExecutor(loop))) { 2 * $0 }
    #expect(doubled.result == nil)
    loop.runAll()
    #expect(doubled.result == .value(42))
  }

  // MARK: Actors

  @Test("2.3 callbacks on an actor use its state and run in order")
  func actor() async {
    let account = Account()
    let first = deposit(Promise(fulfilled: 20), in: account)
    let second = deposit(Promise(fulfilled: 22), in: account)
    #expect(await first.outcome()?.value == 20)
    #expect(await second.outcome()?.value == 42)
  }
}

// MARK: - Samples that are declarations

@MainActor
private final class Page {
  var title = ""

  func load(_ title: Promise<String, any Error>) -> Promise<String, any Error> {
    title
      .map(on: .utility) { $0.uppercased() }  // on a global queue
      .then { self.title = $0 }  // on the main actor, as this is written in a method of it
  }
}

@MainActor
private func show(_ avatar: Promise<Picture, any Error>, in view: AvatarView) {
  avatar.then(nowIfResolved: true) { picture in
    view.show(picture, isAnimated: !PromiseContext.isExecutingNow)
  }
}

private final class OperationQueueExecutor: PromiseExecutor {
  private let queue: OperationQueue

  init(_ queue: OperationQueue) { self.queue = queue }

  func enqueue(_ work: @escaping @Sendable () -> Void) { queue.addOperation(work) }
}

private final class EventLoopExecutor: PromiseExecutor {
  let loop: any EventLoop
  init(_ loop: any EventLoop) { self.loop = loop }
  func enqueue(_ work: @escaping @Sendable () -> Void) { loop.execute(work) }
}

@MainActor
private final class Screen {
  var title = ""

  func load(_ title: Promise<String, any Error>) -> Promise<String, any Error> {
    title.then { [weak self] title in self?.title = title }
  }
}

private actor Account {
  var balance = 0
}

private func deposit(_ amount: Promise<Int, any Error>, in account: Account) -> Promise<Int, any Error> {
  amount.map(on: .actor(account)) { amount in
    account.assumeIsolated { account in
      account.balance += amount
      return account.balance
    }
  }
}

// MARK: - Stand-ins

private protocol EventLoop: Sendable {
  func execute(_ work: @escaping @Sendable () -> Void)
}

extension ManualContext: EventLoop {
  fileprivate func execute(_ work: @escaping @Sendable () -> Void) { enqueue(work) }
}

private typealias Picture = String

@MainActor
private final class AvatarView {
  private(set) var events: [String] = []

  func show(_ picture: Picture, isAnimated: Bool) { events.append(isAnimated ? "\(picture) animated" : picture) }
}

@MainActor private final class Gallery {
  private let images = PromiseCache<String, String, any Error>()
  private var place = "main"

  func load(_ url: String) -> Promise<String, any Error> { Promise(fulfilled: "\(url) on \(place)") }

  func show(_ url: String) -> Promise<String, any Error> {
    let image = images.promise(for: url) { self.load($0) }  // on the main actor, in a method of it
    return image
  }
}
