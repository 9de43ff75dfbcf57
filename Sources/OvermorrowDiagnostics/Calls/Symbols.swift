package import OvermorrowEngine

#if OVERMORROW_SYMBOLS && os(Linux) && canImport(Runtime)
  /// Returns the functions in which an address lies, the innermost function first.
  ///
  /// The linker finds this function in the target `OvermorrowSymbols`. The target uses the toolchain's `Runtime`. No
  /// module imports the target, because the members of all modules that a module imports are visible in its clients.
  // Sound: the two declarations have the same type, of types of the standard library and the engine.
  @_silgen_name("overmorrow_symbol_frames") private func readSymbols(of returnAddress: UInt) -> [SymbolFrame]
#endif

/// The functions and lines of addresses, which are read from the debug information of the program.
///
/// Debug builds on Linux know them. In a release build on Linux, `OvermorrowTesting` makes them known. A release build
/// without it does not depend on the module `Runtime`.
package enum Symbols {
  package typealias Reader = @Sendable (_ returnAddress: UInt) -> [SymbolFrame]

  package static var areKnown: Bool { state.withLock { $0.reader != nil && !$0.isPretendedUnknown } }

  /// Makes this build read the debug information by a function.
  package static func read(with reader: @escaping Reader) { state.withLock { $0.reader = reader } }

  /// Makes this build find no lines, like debug builds for other systems. The names of functions stay known, because
  /// the linkers of these systems know them. Only tests call this function.
  static func pretendUnknown(_ isUnknown: Bool) { state.withLock { $0.isPretendedUnknown = isUnknown } }

  /// The largest number of addresses whose functions are kept.
  private static var limit: Int { 10_000 }

  private struct State: Sendable {
    #if OVERMORROW_SYMBOLS && os(Linux) && canImport(Runtime)
      var reader: Reader? = readSymbols
    #else
      var reader: Reader?
    #endif
    var isPretendedUnknown = false
    var known: [UInt: [UserCall.Frame]] = [:]
  }

  private static let state = Guarded(State())
  /// Only one thread at a time reads the debug information. No user code runs under the lock, because only the debug
  /// information is read.
  private static let reading = Guarded(())

  /// Returns the functions in which an address lies, if they were looked up before.
  static func knownFrames(of address: UInt) -> [UserCall.Frame]? {
    state.withLock { $0.isPretendedUnknown ? nil : $0.known[address] }
  }

  /// Begins a look-up. The first one takes long, and its time does not count for the callback that needs it.
  private static func beginLookUp() -> RunningCallback? {
    let wait = StallWatch.beginWait()
    wait?.noteReported()
    return wait
  }

  /// Returns the functions in which an address lies, the innermost function first. Functions without a line, such as
  /// thunks, are left out.
  static func frames(of address: UInt) -> [UserCall.Frame] {
    if let frames = knownFrames(of: address) { return frames }
    guard let reader = state.withLock({ $0.isPretendedUnknown ? nil : $0.reader }) else { return [] }
    let wait = beginLookUp()
    defer { wait?.end() }
    return reading.withLock { _ in
      if let frames = knownFrames(of: address) { return frames }
      let frames = reader(address).compactMap(UserCall.Frame.init)
      state.withLock { state in
        if state.known.count == limit { state.known = [:] }
        state.known[address] = frames
      }
      return frames
    }
  }

  /// Returns the name of the function at an address, as the linker knows it; `nil` if no name is known. The program of
  /// a release build may lack names, so that the name would be that of another function.
  static func function(at address: UInt) -> String? {
    #if DEBUG
      guard let reader = state.withLock({ $0.reader }) else { return CallStack.function(at: address) }
      let wait = beginLookUp()
      defer { wait?.end() }
      // The address counts as a return address.
      return reading.withLock { _ in reader(address + 1).first?.symbol }
    #else
      return nil
    #endif
  }

  fileprivate static func isOwn(symbol: String, path: String) -> Bool {
    ownFolders.contains { path.hasPrefix($0) } || dropIns.contains { symbol.hasPrefix($0) }
  }

  /// The folders of the library's sources. A function belongs to the library if its file is in such a folder. The
  /// name of the function is no proof, because a function in the program's extension of `Promise` begins with the
  /// name of the library's type.
  private static let ownFolders: [String] = {
    let file = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    let package = file.dropLast(4).joined(separator: "/")
    return ["\(package)/Sources/", "\(package)/DropIns/", "\(package)/Bindings/"]
  }()

  /// The beginnings of the names of functions of the drop-in modules, whose sources may be in other packages.
  private static let dropIns = CallSite.ownModules.filter { !$0.hasPrefix("Overmorrow") }
    .map { "$s\($0.count - 1)\($0.dropLast())" }

  /// Returns the name of a function without its type, its parameters and its generic parameters, such as "map" for
  /// "Promise<>.map<A>(on:token:_:)". Returns `nil` for closures and other functions without a name.
  static func baseName(of symbol: String) -> String? {
    var (name, depth) = ("", 0)
    for character in symbol {
      if character == "(", depth == 0 {
        let last = name.split(separator: ".").last ?? ""
        return last.isEmpty || last.contains(" ") ? nil : String(last)
      }
      if character == "<" { depth += 1 }
      if depth == 0 { name.append(character) }
      if character == ">" { depth -= 1 }
    }
    return nil
  }
}

extension UserCall.Frame {
  /// Creates a frame; `nil` for a function without a line.
  fileprivate init?(_ frame: SymbolFrame) {
    guard let (path, line) = frame.place else { return nil }
    site = "\(path.split(separator: "/").last ?? ""):\(line)"
    function = Symbols.baseName(of: frame.name)
    isOwn = Symbols.isOwn(symbol: frame.symbol, path: path)
  }
}
