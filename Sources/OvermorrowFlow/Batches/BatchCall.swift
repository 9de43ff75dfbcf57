public import Overmorrow
internal import OvermorrowEngine

/// A call that waits for the load of its batch. It depends on no types.
@usableFromInline
class BatchCall: @unchecked Sendable {
  // Sendable: the slot is only used under the lock of the batch, or before the batch is shared.

  @usableFromInline final let resolver: UntypedResolver
  /// The index of the call in the list of its batch.
  fileprivate final var slot = 0

  @usableFromInline
  init(_ resolver: UntypedResolver) { self.resolver = resolver }
}

/// A call with its key.
@usableFromInline
final class KeyCall<Key: Hashable & Sendable>: BatchCall, @unchecked Sendable {
  // Sendable: adds only a constant.

  @usableFromInline let key: Key

  @inlinable
  init(_ key: Key, _ resolver: UntypedResolver) {
    self.key = key
    super.init(resolver)
  }
}

/// The calls that wait for a batch, in the order of their arrival. A call that is withdrawn leaves a gap, so that
/// the amortised cost of a change does not depend on the number of calls. The first change during the call of the
/// load copies the list.
struct BatchCalls: Sendable {
  private(set) var slots: [BatchCall?] = []
  /// The number of calls, without the gaps.
  private(set) var count = 0

  /// The number of gaps that may remain, whatever the number of calls.
  private static var leastGaps: Int { 16 }

  /// Adds a call at the end. First removes the gaps if they exceed the calls by ``leastGaps``.
  mutating func append(_ call: BatchCall) {
    if slots.count > 2 * count + Self.leastGaps {
      slots.removeAll { $0 == nil }
      for (slot, call) in slots.enumerated() { call?.slot = slot }
    }
    call.slot = slots.count
    slots.append(call)
    count += 1
  }

  /// Removes a call, which the caller retains. Returns `false` if the call is not in this list.
  mutating func remove(_ call: BatchCall) -> Bool {
    guard call.slot < slots.count, slots[call.slot] === call else { return false }
    slots[call.slot] = nil
    count -= 1
    return true
  }

  /// Removes all calls. Returns them, and the gaps.
  mutating func takeAll() -> [BatchCall?] {
    defer { self = BatchCalls() }
    return slots
  }
}
