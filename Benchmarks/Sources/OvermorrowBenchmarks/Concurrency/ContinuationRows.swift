/// The rows for a bare continuation: the lower bound of the cost of a wait, and what a cancellation handler and the
/// checks of a checked continuation add.
enum ContinuationRows {
  static func unchecked(for row: Row) -> Workload? {
    switch row {
    case .l: uncheckedAtOnce
    case .m: uncheckedLater
    default: nil
    }
  }

  static func cancellable(for row: Row) -> Workload? {
    switch row {
    case .m: cancellableLater
    default: nil
    }
  }

  static func checked(for row: Row) -> Workload? {
    switch row {
    case .l: checkedAtOnce
    case .m: checkedLater
    default: nil
    }
  }

  private static func uncheckedAtOnce(_ count: Int) {
    OneThread().run {
      for _ in 0..<count { blackHole(await withUnsafeContinuation { $0.resume(returning: 1) }) }
    }
  }

  private static func uncheckedLater(_ count: Int) {
    let slot = Slot<UnsafeContinuation<Int, Never>>()
    OneThread().run {
      for round in 0..<count {
        let value = await withUnsafeContinuation { slot.content = $0 }
        if round == 0 { expect(value == 1, .m) }
        blackHole(value)
      }
    } wake: {
      slot.take()?.resume(returning: 1)
    }
  }

  private static func cancellableLater(_ count: Int) {
    let slot = Slot<UnsafeContinuation<Int, Never>>()
    OneThread().run {
      for round in 0..<count {
        let value = await withTaskCancellationHandler {
          await withUnsafeContinuation { slot.content = $0 }
        } onCancel: {
          blackHole(0)
        }
        if round == 0 { expect(value == 1, .m) }
        blackHole(value)
      }
    } wake: {
      slot.take()?.resume(returning: 1)
    }
  }

  private static func checkedAtOnce(_ count: Int) {
    OneThread().run {
      for _ in 0..<count { blackHole(await withCheckedContinuation { $0.resume(returning: 1) }) }
    }
  }

  private static func checkedLater(_ count: Int) {
    let slot = Slot<CheckedContinuation<Int, Never>>()
    OneThread().run {
      for round in 0..<count {
        let value = await withCheckedContinuation { slot.content = $0 }
        if round == 0 { expect(value == 1, .m) }
        blackHole(value)
      }
    } wake: {
      slot.take()?.resume(returning: 1)
    }
  }
}
