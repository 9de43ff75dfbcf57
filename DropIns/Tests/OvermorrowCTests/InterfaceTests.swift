import COvermorrow
import Dispatch
import Overmorrow
import OvermorrowC
import TestSupport
import Testing

/// The C interface, called as C code would call it.
@Suite(.inTurn)
struct InterfaceTests {
  let ledger = Ledger()

  @Test("each observer receives the outcomes that it is meant for, and is then released")
  func observers() {
    for outcome in [OVM_FULFILLED, OVM_REJECTED, OVM_CANCELLED] {
      unsafe withImmediate { here in
        let promise = unsafe ovm_promise_create_resolved(outcome, ledger.object("x"))
        let observers = unsafe [
          ("then", ovm_promise_then), ("catch", ovm_promise_catch), ("always", ovm_promise_always),
          ("cancel", ovm_promise_on_cancel),
        ]
        let followers = unsafe observers.map { name, observe in
          unsafe observe(promise, here, nil, logResult, ledger.context(name), releaseEntry)
        }
        unsafe ovm_promise_tap(promise, here, nil, logResult, ledger.context("tap"), releaseEntry)
        unsafe releaseAll(followers + [promise])
      }
    }
    #expect(
      ledger.lines == [
        "then 1 x", "always 1 x", "tap 1 x", "catch 2 x", "always 2 x", "tap 2 x", "always 3 -", "cancel 3 -",
        "tap 3 -",
      ])
  }

  @Test("map and recover compute objects from objects, or fail")
  func transforms() {
    unsafe withImmediate { here in
      let double: ovm_transform = { context, input, output in
        guard let entry = unsafe Entry.at(input) else { return false }
        unsafe output.pointee = unsafe entry.ledger.object(entry.name + entry.name)
        return entry.name.count < 4
      }
      var promise = unsafe ovm_promise_create_resolved(OVM_FULFILLED, ledger.object("v"))
      for _ in 0..<3 {
        let next = unsafe ovm_promise_map(promise, here, nil, double, ledger.context("map"), releaseEntry)
        unsafe ovm_promise_release(promise)
        unsafe promise = next
      }
      #expect(unsafe text(promise) == "2 vvvvvvvv")
      let recovered = unsafe ovm_promise_recover(promise, here, nil, double, nil, nil)
      #expect(unsafe text(recovered) == "2 vvvvvvvvvvvvvvvv")
      unsafe ovm_promise_release(promise)
      unsafe ovm_promise_release(recovered)
    }
  }

  @Test("flat_map adopts the promise that its callback returns, and NULL cancels")
  func adopters() {
    unsafe withImmediate { here in
      let promise = unsafe ovm_promise_create_resolved(OVM_FULFILLED, ledger.object("v"))
      let reject: ovm_adopter = { _, _, object in
        unsafe Entry.at(object).map { unsafe ovm_promise_create_resolved(OVM_REJECTED, $0.ledger.object("e")) }
      }
      let nothing: ovm_adopter = { _, _, _ in nil }
      let rejected = unsafe ovm_promise_flat_map(promise, here, nil, reject, nil, nil)
      let cancelled = unsafe ovm_promise_flat_map_error(rejected, here, nil, nothing, nil, nil)
      let always = unsafe ovm_promise_flat_map_result(promise, here, nil, reject, nil, nil)
      #expect(unsafe text(rejected) == "2 e")
      #expect(unsafe text(cancelled) == "3 -")
      #expect(unsafe text(always) == "2 e")
      #expect(ledger.live == 3)
      unsafe releaseAll([promise, rejected, cancelled, always])
    }
  }

  @Test("a request to cancel is passed up, and a canceller retains nothing")
  func cancelling() {
    unsafe withImmediate { here in
      var resolver: OpaquePointer?
      let promise = unsafe ovm_promise_create(&resolver)
      unsafe ovm_resolver_on_cancel_request(
        resolver!, here, { _, resolver in unsafe ovm_resolver_cancel(resolver) }, ledger.context("handler"),
        releaseEntry)
      let child = unsafe ovm_promise_always(promise, here, nil, logResult, ledger.context("child"), releaseEntry)
      let canceller = unsafe ovm_promise_canceller(child)
      unsafe ovm_promise_release(promise)
      unsafe ovm_canceller_request_cancel(canceller)
      #expect(unsafe ovm_resolver_is_cancel_requested(resolver!))
      unsafe ovm_promise_release(child)
      unsafe ovm_canceller_request_cancel(canceller)
      unsafe ovm_canceller_release(canceller)
      unsafe ovm_resolver_release(resolver!)
    }
    #expect(ledger.lines == ["child 3 -"])
  }

  @Test("a callback whose token is invalidated does not run, and is released")
  func tokens() {
    unsafe withImmediate { here in
      var resolver: OpaquePointer?
      let promise = unsafe ovm_promise_create(&resolver)
      let token = unsafe ovm_token_create(true)
      let child = unsafe ovm_promise_then(promise, here, token, logResult, ledger.context("then"), releaseEntry)
      unsafe ovm_token_invalidate(token)
      unsafe ovm_resolver_fulfill(resolver!, ledger.object("v"))
      unsafe releaseAll([promise, child])
      unsafe ovm_token_release(token)
      unsafe ovm_resolver_release(resolver!)
    }
    #expect(ledger.lines.isEmpty)
  }

  @Test("a blocking wait ends with the result or at its time limit")
  func waiting() {
    unsafe withContext(OVM_UTILITY) { pool in
      let later = unsafe ovm_promise_create_after(pool, OVM_FULFILLED, ledger.object("v"), 0.01)
      let end = unsafe ovm_promise_wait(later, 60)
      #expect(end == OVM_RESOLVED)
      var resolver: OpaquePointer?
      let pending = unsafe ovm_promise_create(&resolver)
      #expect(unsafe ovm_promise_wait(pending, 0) == OVM_TIMED_OUT)
      unsafe ovm_resolver_release(resolver!)
      unsafe releaseAll([later, pending])
    }
    // The timer may not have released the value yet.
    #expect(ledger.becomesEmpty(), "the value is released in time")
  }

  @Test("a blocking wait without a limit returns at once if it could never end")
  @MainActor func deadlock() async {
    let text = unsafe ovm_promise_create_resolved(OVM_FULFILLED, ledger.object("v"))
    let token = unsafe ovm_token_create(true)
    unsafe withContext(OVM_MAIN) { main in
      let step = unsafe ovm_promise_map(text, main, token, { _, _, _ in false }, nil, nil)
      #expect(unsafe ovm_promise_wait(step, .infinity) == OVM_DEADLOCK)
      unsafe ovm_token_invalidate(token)
      unsafe releaseAll([text, step])
      unsafe ovm_token_release(token)
    }
    // The step is queued on the main queue, and releases the value in its turn.
    let turn = Latch()
    DispatchQueue.main.async { turn.signal() }
    await turn.wait(for: "the turn of the main queue")
    #expect(ledger.live == 0)
  }

  @Test("when_fulfilled collects the values in order, and when_first takes the first")
  func combining() {
    let names = ["a", "b", "c"]
    let promises = unsafe names.map { unsafe ovm_promise_create_resolved(OVM_FULFILLED, ledger.object($0)) }
    let inputs = unsafe promises.map { unsafe Optional($0) }
    let join: ovm_collector = { context, values, count in
      let entries = (0..<count).compactMap { unsafe Entry.at(values?[$0]) }
      return unsafe entries[0].ledger.object(entries.map(\.name).joined())
    }
    let all = unsafe ovm_when_fulfilled(inputs, inputs.count, false, join, ledger.context("join"), releaseEntry)
    #expect(unsafe text(all) == "1 abc")
    let first = unsafe ovm_when_first(inputs, inputs.count, true)
    #expect(unsafe text(first) == "1 a")
    let none = unsafe ovm_when_first(nil, 0, true)
    #expect(unsafe text(none) == "3 -")
    unsafe releaseAll(promises + [all, first, none])
    #expect(ledger.live == 0)
  }

  @Test("an executor runs or drops the work that it receives")
  func executors() {
    var executor = unsafe ovm_executor(
      context: ledger.context("run"), release: releaseEntry,
      enqueue: { context, work in
        unsafe Entry.at(context)?.ledger.add("enqueue")
        unsafe ovm_work_run(work)
      }, reserve: nil, begin: nil, cancel: nil)
    let running = unsafe ovm_context_create_executor(&executor)
    unsafe executor.context = ledger.context("drop")
    unsafe executor.enqueue = { _, work in unsafe ovm_work_drop(work) }
    let dropping = unsafe ovm_context_create_executor(&executor)
    let promise = unsafe ovm_promise_create_resolved(OVM_FULFILLED, ledger.object("v"))
    let ran = unsafe ovm_promise_then(promise, running, nil, logResult, ledger.context("ran"), releaseEntry)
    let never: ovm_transform = { context, _, _ in
      unsafe Entry.at(context)?.ledger.add("never")
      return true
    }
    let dropped = unsafe ovm_promise_map(promise, dropping, nil, never, ledger.context("dropped"), releaseEntry)
    #expect(ledger.lines == ["enqueue", "ran 1 v"])
    #expect(unsafe text(dropped) == "3 -")
    unsafe releaseAll([promise, ran, dropped])
    unsafe ovm_context_release(running)
    unsafe ovm_context_release(dropping)
    #expect(ledger.live == 0)
  }

  @Test("a delayed promise starts once, when it is first requested")
  func delayed() {
    unsafe withImmediate { here in
      let body: ovm_body = { context, resolver in
        guard let entry = unsafe Entry.at(context) else { return }
        entry.ledger.add("start")
        unsafe ovm_resolver_fulfill(resolver, entry.ledger.object("v"))
      }
      let delayed = unsafe ovm_delayed_create(here, body, ledger.context("body"), releaseEntry)
      #expect(ledger.lines.isEmpty)
      let first = unsafe ovm_delayed_promise(delayed)
      let again = unsafe ovm_delayed_promise(delayed)
      let isSame = first == again
      #expect(isSame)
      #expect(unsafe text(first) == "1 v")
      unsafe releaseAll([first, again])
      unsafe ovm_delayed_release(delayed)
    }
    #expect(ledger.lines == ["start"])
  }

  /// Returns the outcome and the name of the object.
  private func text(_ promise: OpaquePointer) -> String {
    var object: UnsafeMutableRawPointer?
    let outcome = unsafe ovm_promise_result(promise, &object)
    return unsafe "\(outcome.rawValue) \(Entry.at(object)?.name ?? "-")"
  }

  private func releaseAll(_ promises: [OpaquePointer]) {
    for index in unsafe promises.indices { unsafe ovm_promise_release(promises[index]) }
  }

  private func withContext(_ place: ovm_place, _ body: (OpaquePointer) -> Void) {
    let context = unsafe ovm_context_create(place)
    unsafe body(context)
    unsafe ovm_context_release(context)
  }

  /// Runs a closure with the immediate context, and checks that everything has been released.
  private func withImmediate(sourceLocation: SourceLocation = #_sourceLocation, _ body: (OpaquePointer) -> Void) {
    unsafe withContext(OVM_IMMEDIATE, body)
    #expect(ledger.live == 0, sourceLocation: sourceLocation)
  }
}
