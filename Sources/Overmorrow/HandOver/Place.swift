internal import Dispatch

/// A `PromiseContext` in one word, as a core keeps it.
///
/// ```
///   0                 immediate
///   1 … 6             the main queue, and the five global queues
///   7                 the main queue like any other queue: a separate turn for each piece of work
///   address | 0       a dispatch queue that is none of these, retained
///   address | 1       a `Box` of an executor, retained
///   address | 2       a `Box` of an actor, retained
/// ```
///
/// A place with an address owns what it points to, until `relinquish`. Two places are equal when they refer to the same
/// queue or the same box.
@usableFromInline
struct Place: Equatable, Sendable {
  let bits: UInt

  /// The place that was stored as a word.
  init(bits: UInt) { self.bits = bits }

  /// The place of a queue without its own number, for comparison only. The caller retains the queue or its mark.
  init(identity: ObjectIdentifier) { bits = UInt(bitPattern: identity) }

  static var immediate: Place { Place(bits: 0) }
  static var main: Place { Place(bits: 1) }
  private static var mainTurn: Place { Place(bits: 7) }
  private static var lastNamed: UInt { 7 }
  private static let names = [
    "immediate", "main", "background", "utility", "default", "userInitiated", "userInteractive", "main",
  ]
  private static var executorTag: UInt { 1 }
  private static var actorTag: UInt { 2 }
  private static var tagMask: UInt { 3 }

  /// The place of a context. For `nowOr`, it is the place of the inner context, because `nowOr` says when a callback
  /// runs, and not where.
  @inline(__always)
  init(_ context: PromiseContext) {
    if case .immediate = context { self = .immediate } else { self.init(elsewhere: context) }
  }

  private init(elsewhere context: PromiseContext) {
    switch context {
    case .immediate: self = .immediate
    case .main: self = .main
    case .background: self.init(bits: 2)
    case .utility: self.init(bits: 3)
    case .default: self.init(bits: 4)
    case .userInitiated: self.init(bits: 5)
    case .userInteractive: self.init(bits: 6)
    case .queue(let queue):
      switch QueueMark.context(of: queue) {
      case .main?: self = .mainTurn
      case let global?: self.init(global)
      case nil:
        // Unsafe: the word owns the queue from here to `relinquish`.
        self.init(bits: unsafe UInt(bitPattern: Unmanaged.passRetained(queue).toOpaque()))
      }
    case .executor(let executor): self.init(Box<any PromiseExecutor>(executor), tag: Place.executorTag)
    case .actor(let actor):
      if actor === MainActor.shared { self = .main } else { self.init(Box<any Actor>(actor), tag: Place.actorTag) }
    case .nowOr(let context): self.init(context)
    }
  }

  private init(_ box: AnyObject, tag: UInt) {
    // Unsafe: the word owns the box from here to `relinquish`.
    bits = unsafe UInt(bitPattern: Unmanaged.passRetained(box).toOpaque()) | tag
  }

  var isImmediate: Bool { bits == 0 }

  /// Whether steps join a pass on the main queue.
  var isMain: Bool { bits == Place.main.bits }

  /// Whether work runs on the main queue, in a pass with others or in a separate turn.
  var isOnMain: Bool { isMain || self == .mainTurn }

  /// Whether a step may follow another one on this place without a new hand-over. An executor receives each step
  /// separately; on the main queue and on actors, the order of arrival must be kept.
  var canContinue: Bool { isGlobal || isQueue }

  /// Whether this is a dispatch queue without its own number.
  var isQueue: Bool { bits > Place.lastNamed && bits & Place.tagMask == 0 }

  private var isGlobal: Bool { bits > Place.main.bits && bits < Place.mainTurn.bits }
  private var isActor: Bool { bits > Place.lastNamed && bits & Place.actorTag != 0 }

  /// A copy of the place that owns what it points to.
  func retained() -> Place {
    // Unsafe: the caller owns the word, so the object is there; the copy owns it from here to its `relinquish`.
    if bits > Place.lastNamed { _ = unsafe Unmanaged<AnyObject>.fromOpaque(opaque).retain() }
    return self
  }

  /// Releases what the word points to. Called once, by the owner of the word.
  @inline(__always)
  func relinquish() {
    if bits > Place.lastNamed { relinquishObject() }
  }

  private func relinquishObject() {
    // Unsafe: releases what `init` has retained.
    unsafe Unmanaged<AnyObject>.fromOpaque(opaque).release()
  }

  /// Submits an item to this place, which must not be an executor, because that may drop the item.
  ///
  /// - Parameter isRunByWaits: Whether a wait that blocks the main queue may run the item, because it calls no user
  ///   code.
  func enqueue(_ item: WorkItem, isRunByWaits: Bool = false) {
    if isImmediate { return item.run() }
    let item = HandOverCount.isCounting ? HandOverCount.counted(item) : item
    switch bits {
    case 1, Place.mainTurn.bits: if isRunByWaits { MainTurns.enqueue(item) } else { item.enqueue(on: .main) }
    case 2...6: Lane.enqueue(item, onGlobal: Int(bits - 2))
    default: if isActor { Mailboxes.enqueue(item, on: actor) } else { item.enqueue(on: queue) }
    }
  }

  /// Submits work to this place. An executor may drop the work. A queue or an actor never does.
  func enqueue(_ work: @escaping @Sendable () -> Void, isRunByWaits: Bool = false) {
    guard mayDrop else { return enqueue(WorkItem(work), isRunByWaits: isRunByWaits) }
    // Unsafe: the word owns the object, and the caller owns the word.
    unsafe Unmanaged<Box<any PromiseExecutor>>.fromOpaque(opaque).takeUnretainedValue().value.enqueue(work)
  }

  // Unsafe, in these: only used if the word owns an object of this kind.
  var queue: DispatchQueue { unsafe Unmanaged.fromOpaque(opaque).takeUnretainedValue() }
  private var actor: any Actor { unsafe Unmanaged<Box<any Actor>>.fromOpaque(opaque).takeUnretainedValue().value }

  /// Whether submitted work may be dropped without being run, so that its release must be observed.
  var mayDrop: Bool { bits > Place.lastNamed && bits & Place.executorTag != 0 }

  /// A description: a name, a label, or a type. The caller owns the word.
  var description: String {
    if bits <= Place.lastNamed { return Place.names[Int(bits)] }
    if isQueue { return queue.label.isEmpty ? "a queue" : queue.label }
    if isActor { return "\(type(of: actor))" }
    // Unsafe: the word owns the object.
    return unsafe Unmanaged<Box<any PromiseExecutor>>.fromOpaque(opaque).takeUnretainedValue().value.shownName
  }

  private var opaque: UnsafeRawPointer {
    // Unsafe: only read where `bits` is an address that this word owns.
    unsafe UnsafeRawPointer(bitPattern: bits & ~Place.tagMask).unsafelyUnwrapped
  }
}

extension PromiseContext {
  /// The name of the context in diagnostics.
  var shownName: String {
    let place = Place(self)
    defer { place.relinquish() }
    return place.description
  }

  /// Whether callbacks run on the main queue, in a pass with others or in separate turns.
  var isOnMain: Bool {
    let place = Place(self)
    defer { place.relinquish() }
    return place.isOnMain
  }
}
