/// The file and line of the call that made a promise, as the compiler supplies them.
///
/// A call site is forwarded only if the promise gets a note. Without a note, the call site costs nothing.
@usableFromInline
package struct CallSite: Sendable {
  @usableFromInline let file: StaticString
  @usableFromInline let line: UInt

  @inlinable
  package init(_ fileID: StaticString, _ line: UInt) {
    file = fileID
    self.line = line
  }

  /// The place of a promise that only the library sees, such as a promise that another promise adopts at once.
  @inlinable package static var library: CallSite { CallSite(#fileID, 0) }

  /// Whether only the library sees the promise.
  package var isInternal: Bool { line == 0 }

  /// Whether user code made the promise, rather than a module of the library.
  package var isInUserCode: Bool { !CallSite.isOwn(file: "\(file)") }

  /// Returns whether a file, such as "Overmorrow/Promise.swift", belongs to a module of the library. Only names of the
  /// same length are compared, because this runs for each note.
  package static func isOwn(file: String) -> Bool {
    let length = file.utf8.prefix { $0 != UInt8(ascii: "/") }.count + 1
    return ownModules.contains { $0.utf8.count == length && file.hasPrefix($0) }
  }

  /// The file and line, such as "Weather/Loader.swift:31"; `nil` if a module of the library made the promise.
  package var text: String? { isInUserCode ? "\(file):\(line)" : nil }

  /// Returns the text of an origin, that is, the place and the name in quotes. Returns `nil` if both are `nil`.
  package static func origin(_ place: String?, name: String?) -> String? {
    guard let name else { return place }
    return [place, "\"\(name)\""].compactMap { $0 }.joined(separator: " ")
  }

  /// The modules of the library. `.ci/steps/30-house-rules` compares them with the folders of the sources.
  package static let ownModules = [
    "Overmorrow/", "OvermorrowDiagnostics/", "OvermorrowEngine/", "OvermorrowFlow/", "OvermorrowFoundation/",
    "OvermorrowObservation/", "OvermorrowTesting/", "OvermorrowTracing/", "OvermorrowSymbols/", "OvermorrowC/",
    "OvermorrowAsyncHTTPClient/", "OvermorrowCombine/", "OvermorrowLogging/", "OvermorrowMetrics/", "OvermorrowNIO/",
    "OvermorrowServiceLifecycle/",
    "Tomorrowland/", "TomorrowlandBase/", "FranticApparatus/", "PMKFoundation/", "PromiseKit/", "PromiseQ/",
    "PromiseQBase/", "ShallowPromises/",
  ]
}
