#if OVERMORROW_SYMBOLS && os(Linux) && canImport(Runtime)
  package import OvermorrowEngine
  internal import Runtime

  /// The images of the program. The images are captured again if an address is in none of them.
  private let images = Guarded(ImageMap.capture())

  /// Returns the functions in which an address lies, the innermost function first. Returns several functions if the
  /// compiler has inlined them. The address counts as a return address.
  ///
  /// The name is that of the declaration in `Symbols`.
  @_silgen_name("overmorrow_symbol_frames")
  package func symbolFrames(of returnAddress: UInt) -> [SymbolFrame] {
    let images = images.withLock { images in
      if images.indexOfImage(at: .init(UInt64(returnAddress))) == nil { images = ImageMap.capture() }
      return images
    }
    let backtrace = BacktraceDecoder.backtrace(of: [returnAddress])?.symbolicated(with: images)
    return (backtrace?.frames ?? []).compactMap { frame in
      guard let symbol = frame.symbol else { return nil }
      let place = symbol.sourceLocation.flatMap { $0.line > 0 ? (path: $0.path, line: $0.line) : nil }
      return SymbolFrame(symbol: symbol.rawName, name: symbol.name, place: symbol.isSwiftThunk ? nil : place)
    }
  }
#endif
