#if canImport(COvermorrow)
  import COvermorrow
#endif

/// The rows for Overmorrow's promises through the C interface.
///
/// A value is a number in place of an address. The callbacks have no context, because those of the other libraries
/// capture nothing.
enum CRows {
  #if canImport(COvermorrow)
    static func workload(for row: Row) -> Workload? {
      switch row {
      case .a: create
      case .b: createAndFulfill
      case .c: observeResolved
      case .d: mapChain
      case .f: flatMapChain
      case .g: observers
      case .k: cancelChain
      default: nil
      }
    }

    private static func object(_ number: Int) -> ovm_object {
      ovm_object(pointer: UnsafeMutableRawPointer(bitPattern: number), release: nil)
    }

    private static func number(_ pointer: UnsafeMutableRawPointer?) -> Int { Int(bitPattern: pointer) }

    /// Returns the value of a promise.
    private static func value(_ promise: OpaquePointer) -> Int {
      var pointer: UnsafeMutableRawPointer?
      return ovm_promise_result(promise, &pointer) == OVM_FULFILLED ? number(pointer) : -1
    }

    private static let here = SendableHandle(ovm_context_create(OVM_IMMEDIATE))
    private static let look: ovm_observer = { _, _, object in blackHole(number(object)) }
    private static let increment: ovm_transform = { _, input, output in
      output.pointee = object(number(input) &+ 1)
      return true
    }

    private static let incremented: ovm_adopter = { _, _, input in
      ovm_promise_create_resolved(OVM_FULFILLED, object(number(input) &+ 1))
    }

    private static func create(_ count: Int) {
      for value in 0..<count { ovm_promise_release(ovm_promise_create_resolved(OVM_FULFILLED, object(value))) }
    }

    private static func createAndFulfill(_ count: Int) {
      for value in 0..<count {
        var resolver: OpaquePointer?
        let promise = ovm_promise_create(&resolver)
        ovm_resolver_fulfill(resolver!, object(value))
        ovm_resolver_release(resolver!)
        ovm_promise_release(promise)
      }
    }

    private static func observeResolved(_ count: Int) {
      let promise = ovm_promise_create_resolved(OVM_FULFILLED, object(1))
      for _ in 0..<count { ovm_promise_release(ovm_promise_then(promise, here.handle, nil, look, nil, nil)) }
      ovm_promise_release(promise)
    }

    /// Makes `count` promises, each derived from the previous one, which is released when the next one exists.
    private static func chain(
      _ row: Row, _ count: Int, _ next: (OpaquePointer) -> OpaquePointer
    ) {
      for round in 0..<count / row.group {
        var resolver: OpaquePointer?
        var last = ovm_promise_create(&resolver)
        for _ in 0..<row.group {
          let promise = next(last)
          ovm_promise_release(last)
          last = promise
        }
        ovm_resolver_fulfill(resolver!, object(round))
        if round == 0 { expect(value(last) == row.group, row) }
        ovm_resolver_release(resolver!)
        ovm_promise_release(last)
      }
    }

    private static func mapChain(_ count: Int) {
      chain(.d, count) { ovm_promise_map($0, here.handle, nil, increment, nil, nil) }
    }

    private static func flatMapChain(_ count: Int) {
      chain(.f, count) { ovm_promise_flat_map($0, here.handle, nil, incremented, nil, nil) }
    }

    private static func observers(_ count: Int) {
      for round in 0..<count / Row.g.group {
        var resolver: OpaquePointer?
        let promise = ovm_promise_create(&resolver)
        for _ in 0..<Row.g.group {
          ovm_promise_release(ovm_promise_then(promise, here.handle, nil, look, nil, nil))
        }
        ovm_resolver_fulfill(resolver!, object(round))
        ovm_resolver_release(resolver!)
        ovm_promise_release(promise)
      }
    }

    private static func cancelChain(_ count: Int) {
      for round in 0..<count / Row.k.group {
        var resolver: OpaquePointer?
        var last = ovm_promise_create(&resolver)
        ovm_resolver_on_cancel_request(resolver!, here.handle, { _, asked in ovm_resolver_cancel(asked) }, nil, nil)
        for _ in 0..<Row.k.group {
          let next = ovm_promise_map(last, here.handle, nil, increment, nil, nil)
          ovm_promise_release(last)
          last = next
        }
        ovm_promise_request_cancel(last)
        if round == 0 { expect(ovm_promise_result(last, nil) == OVM_CANCELLED, .k) }
        ovm_resolver_release(resolver!)
        ovm_promise_release(last)
      }
    }
  #else
    static func workload(for row: Row) -> Workload? { nil }
  #endif
}

#if canImport(COvermorrow)
  /// A handle that lives as long as the program.
  private struct SendableHandle: @unchecked Sendable {
    // Sendable: handles may be used from any thread.
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }
  }
#endif
