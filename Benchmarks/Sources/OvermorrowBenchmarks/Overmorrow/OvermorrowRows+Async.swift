import Overmorrow

extension OvermorrowRows {
  private typealias P = Promise<Int, any Error>

  static func awaitResolved(_ count: Int) {
    let promise = P(fulfilled: 1)
    OneThread().run {
      for round in 0..<count {
        let value = try? await promise.value
        if round == 0 { expect(value == 1, .l) }
        blackHole(value ?? 0)
      }
    }
  }

  static func awaitPending(_ count: Int) {
    let slot = Slot<P.Resolver>()
    OneThread().run {
      for round in 0..<count {
        let (promise, resolver) = P.makeWithResolver()
        slot.content = resolver
        let value = try? await promise.value
        if round == 0 { expect(value == 1, .m) }
        blackHole(value ?? 0)
      }
    } wake: {
      slot.take()?.fulfill(with: 1)
    }
  }

  /// The closure runs after the waiting task has suspended.
  static func awaitClosure(_ count: Int) {
    let executor = OneThread()
    executor.run {
      for round in 0..<count {
        let value = try? await P(taskExecutor: executor) { 1 }.value
        if round == 0 { expect(value == 1, .v) }
        blackHole(value ?? 0)
      }
    }
  }
}
