import OpenCombine

extension OpenCombineRows {
  /// Sendable because only the thread of `OneThread` uses it.
  private struct Resolver: @unchecked Sendable {
    let promise: F.Promise
  }

  static func awaitResolved(_ count: Int) {
    OneThread().run {
      let future = resolved(1)
      for round in 0..<count {
        let value = try? await future.value
        if round == 0 { expect(value == 1, .l) }
        blackHole(value ?? 0)
      }
    }
  }

  static func awaitPending(_ count: Int) {
    let slot = Slot<Resolver>()
    OneThread().run {
      for round in 0..<count {
        let (future, promise) = pending()
        slot.content = Resolver(promise: promise)
        let value = try? await future.value
        if round == 0 { expect(value == 1, .m) }
        blackHole(value ?? 0)
      }
    } wake: {
      slot.take()?.promise(.success(1))
    }
  }
}
