internal import COvermorrowSystem

/// The layout of the notes and of their cores, for debuggers that read the memory of a stopped program.
///
/// A script of the debugger reads the words of the C symbol `overmorrow_layout`, and then only memory. The script calls
/// no function, takes no lock and needs no debug information. The words are in the order of `FIELDS` in
/// `Debugger/overmorrow_watched.py`. In a program without notes, all words are 0 except the last one, which is a
/// constant.
extension CoreNote {
  /// The number of this order of words. The script refuses other numbers.
  private static var layoutVersion: UInt { 2 }

  static let layoutIsWritten = OnceFlag()

  /// Writes the layout if this is the first note of the program. The note is not in the list yet.
  ///
  /// - Parameter follower: The offsets in the follower of the note, in the order of `FIELDS`.
  package func writeLayoutIfFirst(_ follower: () -> [UInt]) {
    // The script knows the strings and arrays of 64-bit platforms only. An exploring build stores values in another
    // way.
    guard MemoryLayout<UInt>.size == 8, MemoryLayout<CoreWatch>.size == 0 else { return }
    // The number does not tell which note is the first, because calls of tasks have numbers of the same series.
    if !CoreNote.layoutIsWritten.isTaken, CoreNote.layoutIsWritten.take() { writeLayout(follower()) }
  }

  /// Returns the offset of a field that contains this word. The object has such a field.
  package static func offset(of word: UInt, in object: AnyObject) -> UInt {
    let step = UInt(MemoryLayout<UInt>.size)
    var offset = 2 * step
    withExtendedLifetime(object) {
      // Unsafe: the search ends at a field of the object.
      while unsafe UnsafePointer<UInt>(bitPattern: address(of: object) + offset)?.pointee != word { offset += step }
    }
    return offset
  }

  private func writeLayout(_ inFollower: [UInt]) {
    let (table, steps, list) = (SideTable(of: core, .none), WaitingSteps(), StepList(OwnedCores()))
    let facts = factsAddress &- CoreNote.address(of: self)
    let inTable = table.state.withLock { CoreNote.address(of: &$0) } &- CoreNote.address(of: table)
    let inSteps = steps.state.withLock { CoreNote.address(of: &$0) } &- CoreNote.address(of: steps)
    let offsets: [UInt] = [
      CoreNote.address(of: &next) &- CoreNote.address(of: self),
      place(\Facts.core, facts), place(\Facts.number, facts), place(\Facts.site.file, facts),
      place(\Facts.site.line, facts), place(\Facts.made, facts), place(\Facts.stepContext, facts),
      place(\Facts.producer, facts),
      givenName.withLock { CoreNote.address(of: &$0) } &- CoreNote.address(of: self),
      bodyPhase.withLock { CoreNote.address(of: &$0) } &- CoreNote.address(of: self),
      CoreNote.offset(of: CoreNote.address(of: follower), in: self),
      place(\SideTable.State.upstream, inTable), place(\SideTable.Upstream.hasVote, 0),
      place(\SideTable.State.inputs, inTable), place(\WaitingSteps.State.lists.elements, inSteps),
      // The first field of an object follows two words.
      UInt(2 * MemoryLayout<UInt>.size),
    ]
    withExtendedLifetime((table, steps, list)) {}
    // In a build without the compiler's experimental features, the values are outside their objects.
    guard (offsets + inFollower).allSatisfy({ $0 < 4096 }) else { return }
    let empty = [
      CoreNote.secondWord(of: String?.none), CoreNote.secondWord(of: BodyPhase.none),
      CoreNote.secondWord(of: BodyPhase.runs),
    ]
    let heads = CoreNote.heads
    let words = [CoreNote.layoutVersion] + offsets + inFollower + empty + [UInt(heads.count)] + heads
    unsafe overmorrow_set_layout(words, UInt32(words.count))
  }

  private func place<Root, Field>(_ field: KeyPath<Root, Field>, _ start: UInt) -> UInt {
    MemoryLayout.offset(of: field).map { start &+ UInt($0) } ?? .max
  }

  package static func address(of object: AnyObject) -> UInt {
    UInt(bitPattern: ObjectIdentifier(object))
  }

  /// Returns the second word of a value of two words. An empty optional string, for example, differs from each string
  /// in this word.
  private static func secondWord<Value>(of value: Value) -> UInt {
    unsafe withUnsafeBytes(of: value) { unsafe $0.load(fromByteOffset: MemoryLayout<UInt>.size, as: UInt.self) }
  }
}
