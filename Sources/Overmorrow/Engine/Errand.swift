/// A piece of work on its way to where it is to run, in one word: a step, or a closure of the library's.
///
/// ```
///   address | 0    a step, which has kept its source
///   address | 1    a closure, retained
/// ```
///
/// It is to be run once; the word owns what it points to until then.
struct Errand: Sendable {
  typealias Work = @Sendable () -> Void

  let bits: UInt

  /// What was kept as a word; it is not zero.
  init(bits: UInt) { self.bits = bits }

  init(_ step: CoreRef) { bits = step.address }

  init(_ work: @escaping Work) {
    // Unsafe: the word owns the object until `run`.
    bits = unsafe UInt(bitPattern: Unmanaged.passRetained(WorkBox(work)).toOpaque()) | 1
  }

  func run() {
    if bits & 1 == 0 { return Pass.runHandedOver(CoreRef(address: bits)) }
    // Unsafe: takes over what `init` has retained; an errand is run once.
    let box = unsafe Unmanaged<WorkBox>.fromOpaque(UnsafeRawPointer(bitPattern: bits & ~1).unsafelyUnwrapped)
    unsafe box.takeRetainedValue().work()
  }
}

/// Makes one address of a closure, which is two words long.
private final class WorkBox: Sendable {
  let work: Errand.Work

  init(_ work: @escaping Errand.Work) { self.work = work }
}
