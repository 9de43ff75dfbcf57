package import Dispatch

/// The place where a callback runs, in one word.
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
/// A place with an address owns the object at this address until `relinquish` is called. Two places are equal if they
/// have the same number, or refer to the same queue or the same box.
@usableFromInline
package struct Place: Hashable, Sendable {
  let bits: UInt

  init(bits: UInt) { self.bits = bits }

  package static var immediate: Place { Place(bits: 0) }
  package static var main: Place { Place(bits: 1) }
  package static var background: Place { Place(bits: 2) }
  package static var utility: Place { Place(bits: 3) }
  package static var `default`: Place { Place(bits: 4) }
  package static var userInitiated: Place { Place(bits: 5) }
  package static var userInteractive: Place { Place(bits: 6) }
  /// The main queue, where each piece of work takes its own turn.
  package static var mainTurn: Place { Place(bits: 7) }
  private static var lastNamed: UInt { 7 }
  private static let names = [
    "immediate", "main", "background", "utility", "default", "userInitiated", "userInteractive", "main",
  ]
  private static var executorTag: UInt { 1 }
  private static var actorTag: UInt { 2 }
  private static var tagMask: UInt { 3 }

  package init(_ queue: DispatchQueue) {
    // Unsafe: the word owns the queue from here to `relinquish`.
    bits = unsafe UInt(bitPattern: Unmanaged.passRetained(queue).toOpaque())
  }

  package init(_ executor: any PlaceExecutor) { self.init(Box<any PlaceExecutor>(executor), tag: Place.executorTag) }

  package init(_ actor: any Actor) { self.init(Box<any Actor>(actor), tag: Place.actorTag) }

  private init(_ box: AnyObject, tag: UInt) {
    // Unsafe: the word owns the box from here to `relinquish`.
    bits = unsafe UInt(bitPattern: Unmanaged.passRetained(box).toOpaque()) | tag
  }

  var isImmediate: Bool { bits == 0 }

  /// Whether steps on this place join a pass on the main queue.
  var isMain: Bool { bits == Place.main.bits }

  /// Whether work on this place runs on the main queue, either in a pass or in a separate turn.
  package var isOnMain: Bool { isMain || self == .mainTurn }

  /// Whether a step may run directly after another step on this place, without a new hand-over. No step may do so on an
  /// executor, because an executor receives each step separately. No step may do so on the main queue or on an actor,
  /// because there the steps must run in the order of arrival.
  var canContinue: Bool { isGlobal || isQueue }

  /// Whether this place is a dispatch queue without a number.
  package var isQueue: Bool { bits > Place.lastNamed && bits & Place.tagMask == 0 }

  private var isGlobal: Bool { bits > Place.main.bits && bits < Place.mainTurn.bits }
  private var isActor: Bool { bits > Place.lastNamed && bits & Place.actorTag != 0 }

  /// Returns a copy of this place. If the place has an address, the copy owns the object at this address.
  func retained() -> Place {
    // Unsafe: the caller owns the word, so the object exists. The copy owns the object until its `relinquish`.
    if bits > Place.lastNamed { _ = unsafe Unmanaged<AnyObject>.fromOpaque(opaque).retain() }
    return self
  }

  /// Releases the object that the word points to, if there is one. Called once, by the owner of the word.
  @inline(__always)
  package func relinquish() {
    if bits > Place.lastNamed { relinquishObject() }
  }

  private func relinquishObject() {
    // Unsafe: releases an object that `init` or `retained` has retained.
    unsafe Unmanaged<AnyObject>.fromOpaque(opaque).release()
  }

  /// The global queues: `background`, `utility`, `default`, `userInitiated`, `userInteractive`.
  private static let globals = [
    DispatchQoS.QoSClass.background, .utility, .default, .userInitiated, .userInteractive,
  ].map { DispatchQueue.global(qos: $0) }

  /// Submits an item to this place. The place must not be an executor, because an executor may drop the item.
  func enqueue(_ item: WorkItem) {
    if isImmediate { return item.run() }
    let item = HandOverCount.isCounting ? HandOverCount.counted(item) : item
    switch bits {
    case 1, Place.mainTurn.bits: item.enqueue(on: .main)
    case 2...6: if !Seam.takes(item.run()) { item.enqueue(on: Place.globals[Int(bits - 2)]) }
    default: if isActor { Mailboxes.enqueue(item, on: actor) } else { item.enqueue(on: queue) }
    }
  }

  /// Submits work to this place. An executor may drop the work. A queue or an actor never drops work.
  package func enqueue(_ work: @escaping @Sendable () -> Void) {
    guard mayDrop else { return enqueue(WorkItem(work)) }
    // Unsafe: the word owns the object, and the caller owns the word.
    unsafe Unmanaged<Box<any PlaceExecutor>>.fromOpaque(opaque).takeUnretainedValue().value.enqueue(work)
  }

  // Unsafe, in the next two properties: only read if the word owns an object of this kind.
  package var queue: DispatchQueue { unsafe Unmanaged.fromOpaque(opaque).takeUnretainedValue() }
  private var actor: any Actor { unsafe Unmanaged<Box<any Actor>>.fromOpaque(opaque).takeUnretainedValue().value }

  /// Whether this place may drop submitted work without running it. If it may, the engine must observe the release of
  /// the work.
  var mayDrop: Bool { bits > Place.lastNamed && bits & Place.executorTag != 0 }

  /// A description: the name of the place, the label of its queue, or the type of its actor or executor. The caller
  /// owns the word.
  package var description: String {
    if bits <= Place.lastNamed { return Place.names[Int(bits)] }
    if isQueue { return queue.label.isEmpty ? "a queue" : queue.label }
    if isActor { return "\(type(of: actor))" }
    // Unsafe: the word owns the object.
    return unsafe Unmanaged<Box<any PlaceExecutor>>.fromOpaque(opaque).takeUnretainedValue().value.name
  }

  private var opaque: UnsafeRawPointer {
    // Unsafe: only read if this word owns an object, whose address is in `bits`.
    unsafe UnsafeRawPointer(bitPattern: bits & ~Place.tagMask).unsafelyUnwrapped
  }
}

/// An executor, as the engine sees it.
package protocol PlaceExecutor: Sendable {
  var name: String { get }
  /// Runs the work once, or drops the work by releasing it.
  func enqueue(_ work: @escaping @Sendable () -> Void)
}
