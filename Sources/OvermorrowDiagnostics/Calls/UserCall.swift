internal import OvermorrowEngine

/// A call of the library in the program's code.
struct UserCall: Sendable, Equatable {
  /// The file and line of the call, such as "Loader.swift:33".
  let site: String
  /// The name of the called function of the library, such as "map"; `nil` if it is unknown.
  let function: String?
  /// The return address of the call.
  let address: UInt

  /// One function in which an address lies. An address lies in several functions if the compiler has inlined them.
  struct Frame: Sendable {
    let site: String
    let function: String?
    /// Whether the function belongs to this library.
    let isOwn: Bool
  }

  /// Returns the first call in the stack that code outside of the library has made. Returns `nil` if the stack contains
  /// no such call, or if the site of the call is unknown.
  ///
  /// The functions of an address are found once. This takes some milliseconds, and the first search takes longer.
  static func find(in calls: CallStack) -> UserCall? {
    var function: String?
    for address in calls.addresses {
      for frame in Symbols.frames(of: address) {
        if !frame.isOwn { return UserCall(site: frame.site, function: function, address: address) }
        function = frame.function
      }
    }
    return nil
  }
}

extension UserCall {
  /// Whether ``find(in:)`` reads no debug information, because the functions of all addresses that it visits were found
  /// before.
  static func isKnown(in calls: CallStack) -> Bool {
    for address in calls.addresses {
      guard let frames = Symbols.knownFrames(of: address) else { return false }
      if frames.contains(where: { !$0.isOwn }) { return true }
    }
    return true
  }
}

extension CallStack {
  /// Whether notes have calls. Release builds capture no calls for notes.
  static var isCaptured: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  /// The calls that lead to the caller; `nil` in release builds.
  static func captureIfUseful() -> CallStack? {
    if !isCaptured { return nil }
    return Symbols.areKnown ? capture() : captureFrames()
  }

  /// The file and line of the call that the program has made, such as "Loader.swift:33"; `nil` if it is unknown. No
  /// lock may be held.
  package var place: String? { UserCall.find(in: self)?.site }

  /// The site of the call that the program has made, such as "Loader.swift:33". If this build does not know lines, the
  /// address of the call, such as "App+0x12f4". No lock may be held.
  var siteOfCall: String? { Symbols.areKnown ? place : ofProgram.texts.first }
}
