internal import OvermorrowEngine

#if DEBUG && os(Linux) && canImport(Runtime)
  internal import Runtime

  /// The functions and lines of addresses, which are read from the debug information of the program.
  ///
  /// Only debug builds read the debug information, so a release build does not depend on the module `Runtime`.
  enum Symbols {
    static var areKnown: Bool { !arePretendedUnknown.withLock { $0 } }

    private static let arePretendedUnknown = Guarded(false)

    /// Makes this build find no lines, like debug builds for other systems. Only tests call this function.
    static func pretendUnknown(_ isUnknown: Bool) { arePretendedUnknown.withLock { $0 = isUnknown } }

    /// The largest number of addresses whose functions are kept.
    private static var limit: Int { 10_000 }

    private struct State: Sendable {
      /// The loaded images. The images are captured again if an address is in none of them.
      var images = ImageMap.capture()
      var known: [UInt: [CallPlace.Frame]] = [:]
    }

    // No user code runs under the lock, because only the debug information is read.
    private static let state = Guarded(State())

    /// Returns the functions in which an address lies, the innermost function first. Functions without a line, such as
    /// thunks, are left out.
    static func frames(of address: UInt) -> [CallPlace.Frame] {
      state.withLock { state in
        if let frames = state.known[address] { return frames }
        if state.known.count == limit { state.known = [:] }
        let frames = resolve(address, in: &state.images)
        state.known[address] = frames
        return frames
      }
    }

    /// Returns the name of the function at an address, as the linker knows it.
    static func function(at address: UInt) -> String? {
      let images = state.withLock { $0.images }
      // The address counts as a return address.
      return BacktraceDecoder.backtrace(of: [address + 1])?.symbolicated(with: images)?.frames.first?.symbol?.rawName
    }

    private static func resolve(_ address: UInt, in images: inout ImageMap) -> [CallPlace.Frame] {
      if images.indexOfImage(at: .init(UInt64(address))) == nil { images = ImageMap.capture() }
      guard let backtrace = BacktraceDecoder.backtrace(of: [address])?.symbolicated(with: images) else { return [] }
      return backtrace.frames.compactMap { frame in
        guard let symbol = frame.symbol, !symbol.isSwiftThunk, let line = symbol.sourceLocation, line.line > 0 else {
          return nil
        }
        let isOwn =
          ownFolders.contains { line.path.hasPrefix($0) } || dropIns.contains { symbol.rawName.hasPrefix($0) }
        let file = line.path.split(separator: "/").last ?? ""
        return CallPlace.Frame(place: "\(file):\(line.line)", function: baseName(of: symbol.name), isOwn: isOwn)
      }
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
#else
  /// The functions and lines of addresses. This build does not know them.
  enum Symbols {
    static var areKnown: Bool { false }

    static func frames(of address: UInt) -> [CallPlace.Frame] { [] }

    /// Returns the name of the function at an address, as the linker knows it; `nil` if no name is known. The program
    /// of a release build may lack names, so that the name would be that of another function.
    static func function(at address: UInt) -> String? {
      #if DEBUG
        CallStack.function(at: address)
      #else
        nil
      #endif
    }
  }
#endif
