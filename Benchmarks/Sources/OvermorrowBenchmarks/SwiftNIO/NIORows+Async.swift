import NIOCore

extension NIORows {
  static func awaitResolved(_ count: Int) {
    let future = embedded.makeSucceededFuture(1)
    OneThread().run {
      for _ in 0..<count { blackHole((try? await future.get()) ?? 0) }
    }
  }

  static func awaitPending(_ count: Int) {
    let slot = Slot<EventLoopPromise<Int>>()
    OneThread().run {
      for round in 0..<count {
        let promise = embedded.makePromise(of: Int.self)
        slot.content = promise
        let value = try? await promise.futureResult.get()
        if round == 0 { expect(value == 1, .m) }
        blackHole(value ?? 0)
      }
    } wake: {
      slot.take()?.succeed(1)
    }
  }
}
