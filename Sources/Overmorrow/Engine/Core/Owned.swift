/// One count on a core. The end of this value releases the count.
@usableFromInline
@frozen  // `discard self` in `leak` needs this in embedded Swift (`Scripts/thirty-two-bits`)
@safe
struct Owned: ~Copyable, Sendable {
  @usableFromInline let core: CoreRef

  /// Adds a count to those that keep the core.
  init(_ core: CoreRef) {
    core.retain()
    self.core = core
  }

  /// Takes over an existing count, which must belong to nobody else.
  @unsafe
  init(taking core: CoreRef) { self.core = core }

  @inlinable
  deinit {
    // Unsafe: the count is this value's.
    unsafe core.release()
  }

  /// Runs code with the core, and keeps the count until the code returns. Without this function, a temporary value
  /// could end as soon as its `core` has been read.
  @inline(__always)
  func use<Result>(_ body: (CoreRef) -> Result) -> Result { body(core) }

  /// Gives the count away, to a word or a list.
  consuming func leak() -> CoreRef {
    let core = core
    discard self
    return core
  }
}

/// Counts on several cores. This type exists because an array cannot contain values of ``Owned``.
@usableFromInline
@safe
struct OwnedCores: ~Copyable, Sendable {
  @usableFromInline private(set) var all: [CoreRef] = []

  @usableFromInline
  init() {}

  /// Adds a count on each core.
  @usableFromInline
  init(_ cores: [CoreRef]) {
    for core in cores { core.retain() }
    all = cores
  }

  mutating func reserve(_ number: Int) { all.reserveCapacity(number) }

  deinit {
    // Unsafe: the counts are this value's.
    for core in all { unsafe core.release() }
  }

  mutating func keep(_ count: consuming Owned) { all.append(count.leak()) }

  /// Takes over other counts.
  ///
  /// - Returns: The cores that the counts belong to.
  @discardableResult
  mutating func keep(_ others: consuming OwnedCores) -> [CoreRef] {
    let cores = others.leak()
    all += cores
    return cores
  }

  private consuming func leak() -> [CoreRef] {
    let cores = all
    all = []
    return cores
  }
}

extension CoreRef {
  /// Adds a count. If the last count was released, returns `nil`. The caller holds the lock of the side table. Because
  /// the end of the core also takes this lock, the memory of the core still exists.
  func ownedIfAlive() -> Owned? {
    // Unsafe: the count that was just added.
    fields.count.change { $0 == 0 ? nil : ($0 + 1, ()) }.map { unsafe Owned(taking: self) }
  }
}
