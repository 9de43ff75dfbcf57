/// One count of a core. It is given back when this ends.
@usableFromInline
@frozen  // as `leak` needs to be, where there is no runtime
@safe
struct Owned: ~Copyable, Sendable {
  @usableFromInline let core: CoreRef

  /// Makes one more count. The caller has one, or the handle.
  init(_ core: CoreRef) {
    core.retain()
    self.core = core
  }

  /// Takes over a count that has been made.
  init(adopting core: CoreRef) { self.core = core }

  deinit { core.release() }

  /// Hands the count over to a word, or to a list.
  consuming func leak() -> CoreRef {
    let core = core
    discard self
    return core
  }
}

/// Counts of several cores: an array cannot hold values of ``Owned``.
@usableFromInline
@safe
struct OwnedCores: ~Copyable, Sendable {
  @usableFromInline private(set) var all: [CoreRef] = []

  @usableFromInline
  init() {}

  /// Makes one more count of each.
  @usableFromInline
  init(_ cores: [CoreRef]) {
    for core in cores { core.retain() }
    all = cores
  }

  mutating func reserve(_ number: Int) { all.reserveCapacity(number) }

  deinit { for core in all { core.release() } }

  mutating func keep(_ count: consuming Owned) { all.append(count.leak()) }

  /// Takes over other counts.
  ///
  /// - Returns: The cores that these are counts of.
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
  /// One more count, unless the last one is gone. The caller has the lock of the side table, for which the end of the core waits.
  func ownedIfAlive() -> Owned? {
    fields.count.change { $0 == 0 ? nil : ($0 + 1, ()) }.map { Owned(adopting: self) }
  }
}
