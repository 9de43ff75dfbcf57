/// The file and line of the call that made a promise, as the compiler supplies them.
///
/// It is passed on only if a note is wanted, and costs nothing otherwise.
@usableFromInline
package struct CallSite: Sendable {
  @usableFromInline let file: StaticString
  @usableFromInline let line: UInt

  @inlinable
  package init(_ fileID: StaticString, _ line: UInt) {
    file = fileID
    self.line = line
  }

  /// Whether user code made the promise, and not a module of the library.
  var isUsers: Bool {
    let file = "\(file)"
    return !CallSite.ownModules.contains { file.hasPrefix($0) }
  }

  /// Such as "Weather/Loader.swift:31"; `nil` if a module of the library made the promise.
  var text: String? { isUsers ? "\(file):\(line)" : nil }

  private static let ownModules = [
    "Overmorrow/", "OvermorrowC/", "OvermorrowFoundation/", "OvermorrowTesting/", "OvermorrowTracing/", "Tomorrowland/",
    "FranticApparatus/",
    "PromiseKit/", "PromiseQ/", "PromiseQBase/", "ShallowPromises/",
  ]
}
