/// A lock that several threads may have for reading, if threads often meet at it.
///
/// A reader takes a lock, too. At first, this is the *main* lock, which a writer also takes. When as many readers as
/// there are *seats* have met other threads at the main lock, the lock is *open*: a reader takes the lock of a seat.
/// Threads get their seats in turn, so that two readers rarely write a common cache line. A writer takes the main lock,
/// *closes* the lock, and takes and gives back the lock of each seat. After that, as many readers have to meet other
/// threads again before the lock is open again. So closing costs less than the meetings before it, and threads that
/// mostly change the value use one lock only. A lock at which no threads meet has no seats. The seats take at most
/// 8 KiB, and are kept until the lock ends.
///
/// **A writer is alone.** The lock is opened and closed under the main lock. A reader with a seat checks that the lock
/// is open. If it took the seat before the writer took it, the writer waits for the reader. If it took the seat later,
/// it finds the lock closed, and takes the main lock instead, or it finds that the lock was opened after the writer,
/// and sees all that the writer did.
///
/// **No deadlock.** A reader has one lock at a time. A writer takes the main lock before those of the seats, and has
/// one seat at a time. A reading inside a reading, which no caller makes, is not always found by the check of debug
/// builds, because the two may take different locks.
@safe
@usableFromInline
struct ReadLock: ~Copyable, @unchecked Sendable {
  // Sendable: the count of a seat is used under the lock of the seat, and the memory of seats does not change.

  /// A lock for one reader, and a count of what its readers have done.
  @usableFromInline
  @safe
  struct Seat: ~Copyable {
    let lock = Lock()
    @usableFromInline let count = Interior(0)
  }

  /// The seats are in different cache lines. Some processors fetch pairs of lines of 64 bytes.
  private static var stride: Int { 128 }
  /// The number of seats: a power of two, at least two for each processor, from 4 to 64.
  private static let seatCount: Int = {
    var count = 4
    while count < 64, count < 2 * System.processorCount { count *= 2 }
    return Seam.seats(count)
  }()

  private let main = Interior(Seat())
  private let isShared: Bool
  /// The number of readers that have met other threads at the main lock since it was opened. Changes under the main
  /// lock.
  private let meetings = Atomic<UInt32>(0)
  /// The address of the seats while the lock is open, or zero.
  private let open = Atomic<UInt>(0)
  /// The address of the seats, or zero if the lock was never open. Changes under the main lock.
  private let seats = Atomic<UInt>(0)

  /// - Parameter isShared: Whether the lock is ever opened.
  @usableFromInline
  init(isShared: Bool) { self.isShared = isShared }

  // Unsafe, all that follows: the main seat does not move, and the memory of the seats is freed with this lock.
  deinit {
    // Not needed, because nothing else uses the lock any more, but ThreadSanitizer does not see why.
    take()
    give()
    let seats = seats.load(ordering: .relaxed)
    guard seats != 0 else { return }
    for index in 0..<Self.seatCount { unsafe Self.seat(index, seats).deinitialize(count: 1) }
    unsafe Self.seat(0, seats).deallocate()
  }

  /// Takes the lock for a writer.
  @usableFromInline
  func take() {
    unsafe main.address.pointee.lock.take()
    // Relaxed: changes under the main lock.
    if open.load(ordering: .relaxed) != 0 { close() }
  }

  /// Gives the lock back after ``take()``.
  @usableFromInline
  func give() { unsafe main.address.pointee.lock.give() }

  /// Takes the lock for a reader. Returns the seat of the reader.
  @usableFromInline
  func takeSeat() -> UnsafeMutablePointer<Seat> {
    // Acquiring: sees the seats that were made before the lock was opened.
    let seats = open.load(ordering: .acquiring)
    if seats != 0 { return unsafe take(in: seats) }
    let seat = unsafe main.address
    return unsafe seat.pointee.lock.tryTake() ? seat : meet()
  }

  /// Gives the lock back after ``takeSeat()``.
  @usableFromInline
  func giveSeat(_ seat: UnsafeMutablePointer<Seat>) { unsafe seat.pointee.lock.give() }

  /// The sum of the counts of all seats.
  @usableFromInline
  var count: Int {
    unsafe main.address.pointee.lock.take()
    var sum = unsafe main.address.pointee.count.address.pointee
    let seats = seats.load(ordering: .relaxed)
    if seats != 0 {
      for index in 0..<Self.seatCount {
        let seat = unsafe Self.seat(index, seats)
        unsafe seat.pointee.lock.take()
        unsafe sum += seat.pointee.count.address.pointee
        unsafe seat.pointee.lock.give()
      }
    }
    unsafe main.address.pointee.lock.give()
    return sum
  }

  private func take(in seats: UInt) -> UnsafeMutablePointer<Seat> {
    let number = Int(truncatingIfNeeded: Seam.thread)
    let seat = unsafe Self.seat(number & (Self.seatCount - 1), seats)
    unsafe seat.pointee.lock.take()
    // Acquiring: sees what writers did before the lock was opened.
    if open.load(ordering: .acquiring) != 0 { return unsafe seat }
    unsafe seat.pointee.lock.give()
    return unsafe meet()
  }

  /// Takes the main lock after another thread had it, and opens the lock if that has often happened.
  @inline(never)
  private func meet() -> UnsafeMutablePointer<Seat> {
    unsafe main.address.pointee.lock.take()
    guard isShared, open.load(ordering: .relaxed) == 0 else { return unsafe main.address }
    let meetings = meetings.load(ordering: .relaxed) + 1
    self.meetings.store(meetings < Self.seatCount ? meetings : 0, ordering: .relaxed)
    if meetings == Self.seatCount { openWithMainLock() }
    return unsafe main.address
  }

  /// Opens the lock, as when readers have often met.
  @usableFromInline
  func openForReaders() {
    take()
    if isShared { openWithMainLock() }
    give()
  }

  private func openWithMainLock() {
    if seats.load(ordering: .relaxed) == 0 { makeSeats() }
    // Releasing: publishes what writers did before.
    open.store(seats.load(ordering: .relaxed), ordering: .releasing)
  }

  /// Whether readers have seats.
  @usableFromInline var isOpen: Bool { open.load(ordering: .relaxed) != 0 }

  /// Closes the lock, and waits until no reader has a seat. The caller has the main lock.
  @inline(never)
  private func close() {
    // Relaxed: a reader that takes a seat later sees this store, because the lock of the seat was given back after it.
    open.store(0, ordering: .relaxed)
    let seats = seats.load(ordering: .relaxed)
    for index in 0..<Self.seatCount {
      let seat = unsafe Self.seat(index, seats)
      unsafe seat.pointee.lock.take()
      unsafe seat.pointee.lock.give()
    }
  }

  private func makeSeats() {
    precondition(MemoryLayout<Seat>.stride <= Self.stride, "a seat is larger than its place")
    let bytes = Self.seatCount * Self.stride
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: Self.stride)
    let seats = UInt(bitPattern: memory)
    for index in 0..<Self.seatCount { unsafe Self.seat(index, seats).initialize(to: Seat()) }
    self.seats.store(seats, ordering: .relaxed)
  }

  private static func seat(_ index: Int, _ seats: UInt) -> UnsafeMutablePointer<Seat> {
    unsafe UnsafeMutablePointer(bitPattern: seats + UInt(index * stride)).unsafelyUnwrapped
  }
}
