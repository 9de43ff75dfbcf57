/// Who is told when a promise resolves: the rosters of the tokens that it is in.
///
/// # Layout
///
/// ```
///   63                                             3 2 1 0
///  ┌───────────────────────────────────────────────┬─┬─┬─┐
///  │ a a a a … an address, or 0                  a │b│m│h│
///  └───────────────────────────────────────────────┴─┴─┴─┘
///   a: a `TokenRoster`, or `RosterList` if m is set; the word owns it until the core ends
///   h: the core keeps its memory, though the handle has ended (`MemoryHold`)
///   b: the core never had a handle (`makeReporting`); then there is no address, and h means that its memory is in a `StepRow`
/// ```
///
/// A word that leads to one roster may come to lead to several, of which that one stays the first. So what it has once led
/// to is there as long as the core, and may be used by whoever has a count on that.
///
/// Whoever resolves the promise tells them. Whoever adds one looks at the phase afterwards; both looks are in the total order
/// of E7, so that one of the two sees the other. If both do, a roster is told twice, which does no harm.
struct RostersWord: Equatable, Sendable {
  let bits: UInt

  static var holdsBit: UInt { 0b01 }
  static var manyBit: UInt { 0b10 }
  static var bareBit: UInt { 0b100 }
  static var rowBit: UInt { holdsBit }
  static var tagMask: UInt { 0b111 }

  var holds: Bool { bits & RostersWord.holdsBit != 0 }
  var isMany: Bool { bits & RostersWord.manyBit != 0 }
  var isBare: Bool { bits & RostersWord.bareBit != 0 }
  /// Only of a word that is bare.
  var isInRow: Bool { bits & RostersWord.rowBit != 0 }
  var address: UInt { bits & ~RostersWord.tagMask }

  /// The one roster, if there is just one.
  fileprivate var roster: Unmanaged<TokenRoster>? {
    // Unsafe: with an address and without `m`, the word owns a roster at the address.
    address == 0 || isMany ? nil : unsafe .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }

  fileprivate var list: Unmanaged<RosterList>? {
    // Unsafe: with `m`, the word owns an object of this class at the address.
    isMany ? unsafe .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped) : nil
  }

  /// Lets go of what the word leads to. The caller is the last holder of the core.
  func discard() {
    unsafe roster?.release()
    unsafe list?.release()
  }
}

extension PromiseHandle {
  /// Lets the promise tell a roster when it resolves; `false` if that is the last one that was added already.
  ///
  /// It is not told if the promise has resolved: the caller looks at that afterwards.
  func add(_ roster: TokenRoster) -> Bool { core.add(roster) }
}

extension CoreRef {
  // Unsafe, in these: the caller holds a count on the core, or has its handle.

  private var rostersWord: RostersWord { unsafe RostersWord(bits: pointer.pointee.rosters.load(ordering: .acquiring)) }

  fileprivate func add(_ roster: TokenRoster) -> Bool {
    // Unsafe: if the exchange succeeds, the word owns the reference, and `discard` gives it back.
    let owned = unsafe Unmanaged.passRetained(roster)
    let bits = unsafe UInt(bitPattern: owned.toOpaque())
    if unsafe pointer.pointee.rosters.compareExchange(
      expected: 0, desired: bits, ordering: .sequentiallyConsistent
    ).exchanged {
      return true
    }
    unsafe owned.release()
    return addBesideOthers(roster)
  }

  @inline(never)
  private func addBesideOthers(_ roster: TokenRoster) -> Bool {
    var word = rostersWord
    while let first = unsafe word.roster {
      let found = unsafe first.takeUnretainedValue()
      if found === roster { return false }
      // Unsafe: as in `add`.
      let owned = unsafe Unmanaged.passRetained(RosterList(found, roster))
      let new = unsafe UInt(bitPattern: owned.toOpaque()) | RostersWord.manyBit
      if unsafe pointer.pointee.rosters.compareExchange(
        expected: word.bits, desired: new, ordering: .sequentiallyConsistent
      ).exchanged {
        // What the word has owned is the first of several now.
        unsafe first.release()
        return true
      }
      unsafe owned.release()
      word = rostersWord
    }
    return unsafe word.list?._withUnsafeGuaranteedRef { $0.add(roster) } ?? true
  }

  /// Tells the rosters that the promise is resolved, if there are any.
  func tellRosters() {
    let word = rostersWord
    unsafe word.roster?._withUnsafeGuaranteedRef { $0.promiseDidResolve() }
    unsafe word.list?._withUnsafeGuaranteedRef { $0.promiseDidResolve() }
  }
}

/// Several rosters that are told when a promise resolves.
private final class RosterList: Sendable {
  private struct State {
    var others: [TokenRoster]
    /// Those that are closed are swept when there are so many, so that a pending promise does not grow while tokens come
    /// and go.
    var sweepAt = 8
    var isTold = false
  }

  private let first: TokenRoster
  private let state: Guarded<State>

  init(_ first: TokenRoster, _ second: TokenRoster) {
    self.first = first
    state = Guarded(State(others: [second]))
  }

  /// Adds one more; `false` if it is the last one already.
  func add(_ roster: TokenRoster) -> Bool {
    state.withLock { state in
      if state.others.last === roster { return false }
      // Whoever adds one now sees that the promise is resolved.
      if state.isTold { return true }
      if state.others.count >= state.sweepAt {
        state.others = state.others.filter { !$0.isClosed }
        state.sweepAt = max(8, 2 * state.others.count)
      }
      state.others.append(roster)
      return true
    }
  }

  func promiseDidResolve() {
    let others = state.withLock { state in
      defer { state.others = [] }
      state.isTold = true
      return state.others
    }
    first.promiseDidResolve()
    for roster in others { roster.promiseDidResolve() }
  }
}
