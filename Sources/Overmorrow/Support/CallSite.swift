/// Where a promise was made: the file and the line of the call, as the compiler has filled them in.
///
/// Handed over only if a note is wanted; so it costs nothing else.
@usableFromInline
package struct CallSite: Sendable {
  @usableFromInline let file: StaticString
  @usableFromInline let line: UInt

  @inlinable
  package init(_ fileID: StaticString, _ line: UInt) {
    file = fileID
    self.line = line
  }

  /// Whether a user has made the promise, and not the library for itself, or on behalf of code that it does not know.
  var isUsers: Bool {
    let file = "\(file)"
    return !CallSite.ownModules.contains { file.hasPrefix($0) }
  }

  /// As in "Weather/Loader.swift:31"; `nil` if no user has made the promise.
  var text: String? { isUsers ? "\(file):\(line)" : nil }

  private static let ownModules = [
    "Overmorrow/", "OvermorrowC/", "OvermorrowFoundation/", "OvermorrowTesting/", "OvermorrowTracing/", "Tomorrowland/",
    "FranticApparatus/",
    "PromiseKit/", "PromiseQ/", "PromiseQBase/", "ShallowPromises/",
  ]
}
