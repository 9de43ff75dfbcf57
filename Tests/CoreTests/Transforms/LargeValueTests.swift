#if DEBUG && (os(macOS) || os(Linux))
  import Overmorrow
  import Testing

  /// Values of 1 MB, which unspecialised code copies on the stack. Each test runs in its own process, because a stack
  /// overflow ends the process. Not tested in optimised builds, whose code is specialised for the type and where the
  /// compiler decides how many copies a frame holds.
  @Suite(.heavy) struct LargeValueTests {
    struct Twice<Half: Sendable>: Sendable {
      let first, second: Half

      init(_ half: Half) { (first, second) = (half, half) }
    }
    typealias Times32<Part: Sendable> = Twice<Twice<Twice<Twice<Twice<Part>>>>>
    typealias Large = Twice<Twice<Times32<Times32<Times32<Int>>>>>

    /// A value that is stored on the heap.
    private final class Sample: Sendable {
      let value: Large

      init() {
        let small = times32(times32(7))
        value = Twice(Twice(times32(small)))
      }
    }

    private static func times32<Part>(_ part: Part) -> Times32<Part> { Twice(Twice(Twice(Twice(Twice(part))))) }

    private static func number(in value: borrowing Large) -> Int {
      unsafe withUnsafeBytes(of: value) { unsafe $0.load(as: Int.self) }
    }

    /// Returns what a callback after `step` reads from the value if the promise is fulfilled on a stack of 8 MB.
    private static func read(
      behind step: @escaping @Sendable (Promise<Large, any Error>) -> Promise<Large, any Error>
    ) -> Int? {
      let sample = onThread(stackSize: 64 << 20) { Sample() }
      return onThread(stackSize: 8 << 20) {
        let (promise, resolver) = Promise<Large, any Error>.makeWithResolver()
        let read = step(promise).map(on: .immediate) { number(in: $0) }
        resolver.fulfill(with: sample.value)
        return read.result?.value
      }
    }

    @Test("2.1 a value of 1 MB passes through an observer and each kind of step")
    func steps() async {
      await #expect(processExitsWith: .success) {
        #expect(MemoryLayout<Large>.size == 1 << 20)
        #expect(Self.read { $0 } == 7)
        #expect(Self.read { $0.then(on: .immediate) { _ in } } == 7)
        #expect(Self.read { $0.map(on: .immediate) { $0 } } == 7)
        #expect(Self.read { promise in promise.flatMap(on: .immediate) { _ in promise } } == 7)
        #expect(Self.read { $0.timeout(on: .immediate, .seconds(60)) } == 7)
      }
    }
  }
#endif
