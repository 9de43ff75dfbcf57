/// Whether any diagnostics are on. If all diagnostics are off, making a promise reads only this word.
///
/// ```
///   63                  4 3 2 1 0
///  ┌─────────────────────┬─┬─┬─┬─┐   w: all promises are watched: the level is not `off`
///  │ s s s … scopes    s │t│r│u│w│   u: no promise has determined the level yet
///  └─────────────────────┴─┴─┴─┴─┘   r: a recording runs
///                                    t: promises without notes get records for trails
///                                    s: scopes of checks that are open
/// ```
///
/// The first promise of a program determines the level, even if the program has set it before. All accesses are
/// relaxed. Code in a scope still sees that the scope is open. The code either runs on the thread that has opened the
/// scope, or was submitted by a hand-over that is ordered after the opening.
package enum DiagnosticsSwitch {
  private static let word = Atomic<UInt>(Seam.initial(unknownBit))

  private static var watchedBit: UInt { 0b01 }
  private static var unknownBit: UInt { 0b10 }
  private static var recordingBit: UInt { 0b100 }
  private static var trailsBit: UInt { 0b1000 }
  private static var scope: UInt { 0b10000 }

  @inline(__always)
  package static var isOn: Bool { word.load(ordering: .relaxed) != 0 }

  /// Whether promises may get notes.
  @inline(__always)
  package static var makesNotes: Bool { word.load(ordering: .relaxed) & ~trailsBit != 0 }

  /// Whether promises without notes get records.
  package static var recordsTrails: Bool { word.load(ordering: .relaxed) & trailsBit != 0 }

  package static var hasScopes: Bool { word.load(ordering: .relaxed) >= scope }

  package static var isLevelUnknown: Bool { word.load(ordering: .relaxed) & unknownBit != 0 }

  /// Whether promises that belong to no scope are watched.
  package static var watchesAll: Bool { word.load(ordering: .relaxed) & watchedBit != 0 }

  /// Whether promises that belong to no scope are watched. Also `true` while the level is not known.
  static var mayWatchAll: Bool { word.load(ordering: .relaxed) & (watchedBit | unknownBit) != 0 }

  package static var isRecording: Bool { word.load(ordering: .relaxed) & recordingBit != 0 }

  package static func openScope() { word.add(scope, ordering: .relaxed) }
  package static func closeScope() { word.subtract(scope, ordering: .relaxed) }

  package static func setRecording(_ isOn: Bool) { set(recordingBit, isOn) }

  package static func setRecordsTrails(_ isOn: Bool) { set(trailsBit, isOn) }

  package static func setWatchesAll(_ isOn: Bool) { set(watchedBit, isOn) }

  /// Records that the first promise has determined the level. ``setWatchesAll(_:)`` was called before.
  package static func setLevelKnown() { set(unknownBit, false) }

  private static func set(_ bit: UInt, _ isOn: Bool) {
    if isOn { word.bitwiseOr(bit, ordering: .relaxed) } else { word.bitwiseAnd(~bit, ordering: .relaxed) }
  }
}
