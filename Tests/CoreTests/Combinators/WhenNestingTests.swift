#if os(macOS) || os(Linux)
  import Overmorrow
  import Testing

  /// Chains of `when`s on a small stack. Each test runs in its own process, because a stack overflow ends the process.
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

    enum End: Codable, CaseIterable {
      case resolved, dropped, asked
    }

    @Test(
      "5.1 5.2 a chain of 20,000 whens resolves, is released or cancelled on a small stack",
      arguments: End.allCases)
    func ends(_ end: End) async throws {
      try await ExitArgument.passing(end) {
        await #expect(processExitsWith: .success) {
          let end = try ExitArgument.taken(End.self)
          let (result, requests) = onThread(stackSize: 512 << 10) {
            let (last, input) = Input.feed { Self.chain(scaled(20_000), from: $0) }
            switch end {
            case .resolved: input.resolver.fulfill(with: 0)
            case .dropped:
              _ = consume input
              return (last.result, 0)
            case .asked:
              input.resolver.onRequestCancel(on: .immediate) { $0.cancel() }
              last.requestCancel()
            }
            return (last.result, input.requestCount)
          }
          #expect(result == (end == .resolved ? .value(scaled(20_000) / 2) : .cancelled))
          #expect(requests == (end == .asked ? 1 : 0))
        }
      }
    }
  }
#endif
