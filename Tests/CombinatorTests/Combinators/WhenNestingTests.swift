#if os(macOS) || os(Linux)
  import Overmorrow
  import Testing

  /// Chains of `when`s, on a small stack. In processes of their own: an overflow ends the process.
  @Suite(.heavy) struct WhenNestingTests {
    private static func chain(_ length: Int, from first: Promise<Int, Flaw>) -> Promise<Int, Flaw> {
      var promise = first
      for number in 0..<length {
        if number.isMultiple(of: 2) {
          let both = when(fulfilled: promise, Promise<Int, Flaw>(fulfilled: 1))
          promise = both.map(on: .immediate) { $0 + $1 }
        } else {
          promise = when(first: [promise])
        }
      }
      return promise
    }

    @Test("5.1 5.2 a chain of 20,000 whens resolves on a small stack")
    func resolves() async {
      await #expect(processExitsWith: .success) {
        let result = onThread(stackSize: 512 << 10) {
          let (last, input) = Input.feed { Self.chain(20_000, from: $0) }
          input.resolver.fulfill(with: 0)
          return last.result
        }
        #expect(result == .value(10_000))
      }
    }

    @Test("5.1 5.2 a chain of 20,000 whens is dropped unresolved on a small stack")
    func dropped() async {
      await #expect(processExitsWith: .success) {
        let isCancelled = onThread(stackSize: 512 << 10) {
          let (last, _) = Input.feed { Self.chain(20_000, from: $0) }
          return last.result
        }
        #expect(isCancelled == .cancelled)
      }
    }

    @Test("5.1 5.2 a request to cancel goes through a chain of 20,000 whens on a small stack")
    func requestCancel() async {
      await #expect(processExitsWith: .success) {
        let (requests, result) = onThread(stackSize: 512 << 10) {
          let (last, input) = Input.feed { Self.chain(20_000, from: $0) }
          input.resolver.onRequestCancel(on: .immediate) { $0.cancel() }
          last.requestCancel()
          return (input.requestCount, last.result)
        }
        #expect(requests == 1)
        #expect(result == .cancelled)
      }
    }
  }
#endif
