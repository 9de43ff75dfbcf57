internal import COvermorrowSystem

/// The record of a core that has no note. With records, the trail of an error is known in release builds.
///
/// A core with a record has the trait `recorded`, which its steps inherit. A record is written when the core is made,
/// into a ring of 16,384 records. It retains nothing, and it is found until another record has replaced it, even if its
/// core has ended.
package struct CoreRecord: Sendable {
  /// A number that identifies a record.
  package struct Key: Sendable, Hashable {
    package let number: UInt32

    /// Creates the key of the record of a core that exists; `nil` if the core has none.
    package init?(_ core: CoreRef) { self.init(core.fields.record) }

    fileprivate init?(_ number: UInt32) {
      if number == 0 { return nil }
      self.number = number
    }
  }

  /// The number of records in the ring.
  package static var capacity: Int { Int(OVERMORROW_RECORDS) }

  package let key: Key
  /// The record of the source of a step; `nil` for a core without a source.
  package let source: Key?
  /// The record of the core that this core has adopted; `nil` if there is none, or if it was resolved and has no error.
  package let adopted: Key?
  /// Whether the code of this core has made an error that is not that of the source.
  package let rejects: Bool
  /// Whether the callback of this core ran for an error of the source, if it ran. If the callback is for values and for
  /// errors, this is known only if it has made an error.
  package let followsError: Bool
  /// The return addresses of the calls that have registered a step, the innermost call first.
  package let calls: CallStack
  /// The call that has made a core without a source; `nil` for a step.
  package let root: Root?

  package struct Root: Sendable {
    package let file: String
    package let line: UInt
    /// The kind of code that resolves the core.
    package let producer: UInt8
  }

  /// Finds a record. Returns `nil` if the record was replaced.
  package init?(_ key: Key) {
    var found = overmorrow_record()
    // Unsafe: the function writes the record.
    guard unsafe overmorrow_find_record(key.number, &found) else { return nil }
    self.init(key, found)
  }

  private init(_ key: Key, _ record: overmorrow_record) {
    self.key = key
    (source, adopted) = (Key(record.source), Key(record.adopted))
    let hasError = record.flags & OVERMORROW_RECORD_REJECTS != 0
    rejects = hasError && record.flags & OVERMORROW_RECORD_PASSES_ON == 0
    followsError =
      hasError
      ? record.flags & OVERMORROW_RECORD_AFTER_ERROR != 0
      : Traits(rawValue: record.flags).isDisjoint(with: .onValue) && Traits(rawValue: record.flags).has(.onError)
    let (first, second) = record.calls
    if record.flags & OVERMORROW_RECORD_IS_ROOT != 0 {
      calls = CallStack(addresses: [])
      // Unsafe: the record is whole, so these are the address and the length of a static string.
      let start = unsafe UnsafePointer<UInt8>(bitPattern: UInt(first))
      let file = unsafe UnsafeBufferPointer(start: start, count: Int(second >> 32))
      root = Root(
        file: unsafe String(decoding: file, as: UTF8.self), line: UInt(UInt32(truncatingIfNeeded: second)),
        producer: UInt8(truncatingIfNeeded: record.flags))
    } else {
      calls = CallStack(addresses: [UInt(first), UInt(second)].filter { $0 != 0 })
      root = nil
    }
  }

  // MARK: Reads of errors

  /// Handles the read of the error of a recorded core, and then runs the code that reads the error. This type is a
  /// structure for the same reason as `Mistake.Reporter`.
  package struct Reader: Sendable {
    private let call: @Sendable (_ core: CoreRef, _ code: () -> Void) -> Void

    package init(_ call: @escaping @Sendable (_ core: CoreRef, _ code: () -> Void) -> Void) { self.call = call }

    func callAsFunction(_ core: CoreRef, _ code: () -> Void) { call(core, code) }
  }

  package static let reader = Guarded<Reader?>(nil)

  /// Runs code that reads the error of a recorded core. The caller keeps the core.
  static func read(_ core: CoreRef, _ code: () -> Void = {}) {
    guard let reader = reader.withLock({ $0 }) else { return code() }
    reader(core, code)
  }
}

extension CoreRef {
  /// Gives a new step of this core what this core has: a note or a record. The step is not shared yet.
  ///
  /// The function is not inlined, because the record of the step contains the return addresses of the caller and of
  /// the caller's caller.
  @inline(never)
  func follow(step: CoreRef) {
    if traits.has(.checked) { return followInNote(step: step) }
    let traits = step.traits.union(.recorded)
    let number = overmorrow_record_step(fields.record, traits.rawValue & Traits.onAnything.rawValue)
    step.fields.traitsAndRecord.value = UInt64(traits.rawValue) | UInt64(number) << 32
    if traits.has(.onError), traits.isDisjoint(with: [.handlesNoError, .library, .resumesTask]) { step.noteReads() }
  }

  @inline(never)
  private func followInNote(step: CoreRef) {
    // The maker of a step may have made the note of the step.
    if !step.traits.has(.checked) { CoreNote.find(self)?.follower.noteChild(step, isHidden: false) }
  }

  /// Handles the adoption of another core, which has a note or a record, by this core.
  @inline(never)
  func follow(adopted inner: CoreRef) {
    if inner.traits.has(.checked) {
      CoreNote.follower(of: inner)?.noteAdopted(by: self)
    } else if traits.has(.recorded) {
      overmorrow_amend_record(fields.record, inner.fields.record, 0)
    }
  }

  /// Records that this core takes over the error of another core, which has the record with this key.
  package func follow(record key: CoreRecord.Key) {
    if traits.has(.recorded) { overmorrow_amend_record(fields.record, key.number, 0) }
  }

  /// Whether the adoption of this core, which has a note or a record, is of interest. The adoption of a core with a
  /// record is of interest if the core may have an error.
  @inline(__always)
  var isFollowedWhenAdopted: Bool {
    let state = state
    return !state.isResolved || state.outcomeBits != Outcome.value.rawValue || traits.has(.checked)
  }

  /// Records this core, which has no source. The core is not shared yet.
  package func record(_ site: CallSite, _ producer: UInt8) {
    // Unsafe: the name of a file is a static string, which has an address.
    let number = overmorrow_record_root(
      unsafe UInt(bitPattern: site.file.utf8Start), site.file.utf8CodeUnitCount, site.line, UInt32(producer))
    fields.traitsAndRecord.value = UInt64(traits.union(.recorded).rawValue) | UInt64(number) << 32
  }

  /// Records this core, which has no source, if trails are recorded and the core has got no note. The core is not
  /// shared yet.
  package func recordWithoutNote(_ site: CallSite, _ producer: UInt8) {
    if DiagnosticsSwitch.recordsTrails, !traits.has(.checked) { record(site, producer) }
  }

  /// Records that this step has an error that is not its source's.
  @inline(never)
  func noteRejected() {
    if traits.has(.recorded) { overmorrow_amend_record(fields.record, 0, OVERMORROW_RECORD_REJECTS) }
  }

  /// Records that the callback of this step has made an error, or has observed the error of the source.
  @usableFromInline
  @inline(never)
  package func noteRejected(after source: CoreRef) {
    if source.outcome != .error { return noteRejected() }
    // A callback that only observes an error makes none.
    guard traits.has(.recorded), traits.has(.onError), traits.has(.makesResult) else { return }
    overmorrow_amend_record(fields.record, 0, OVERMORROW_RECORD_REJECTS | OVERMORROW_RECORD_AFTER_ERROR)
  }

  /// Records that the error of this step is that of its source, which the callback has thrown again.
  private func notePassedOn() { overmorrow_amend_record(fields.record, 0, OVERMORROW_RECORD_PASSES_ON) }

  /// Puts a function before the callback of this step, which handles the read of an error of the source.
  private func noteReads() {
    let operations = fields.operations.value.whole(isBoxed: traits.has(.boxed))
    freeOperations()
    var traits = self.traits.subtracting(.boxed)
    fields.operations.value = OperationsWord(
      { operation, core, source in
        guard case .run = operation, let source, source.outcome == .error else {
          return operations(operation, core, source)
        }
        var result = OperationResult.cancelled
        CoreRecord.read(source) { result = operations(operation, core, source) }
        guard case .error = result, core.traits.has(.makesResult),
          case .answer(let answer) = operations(.copyError, core, nil)
        else { return result }
        if let copy = answer as? ErrorCopy, source.copyOfError.map(ErrorText.init) == ErrorText(copy.error) {
          core.notePassedOn()
        }
        return result
      }, in: &traits)
    fields.traits = traits
  }
}
