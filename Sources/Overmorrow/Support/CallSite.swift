#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Where a promise was made: the file and the line of the call, as the compiler has filled them in.
///
/// Handed over only if somebody wants to know; so it costs nothing else.
@usableFromInline
@safe
package struct CallSite: @unchecked Sendable {
  // Sendable: what it points to is a literal of the program.
  @usableFromInline let file: UnsafePointer<UInt8>?
  @usableFromInline let line: UInt32

  @inlinable
  package init(_ fileID: StaticString, _ line: UInt) {
    // Unsafe: a literal is always there, and ends with a zero.
    unsafe file = fileID.hasPointerRepresentation ? fileID.utf8Start : nil
    self.line = UInt32(truncatingIfNeeded: line)
  }

  /// Whether a user has made the promise, and not the library for itself, or for somebody whom it does not know.
  var isUsers: Bool {
    let file = unsafe UInt(bitPattern: file)
    if file == 0 { return false }
    if file == CallSite.lastUsers.load(ordering: .relaxed) { return true }
    let isOwn = CallSite.ownModules.contains { hasPrefix($0) }
    if !isOwn { CallSite.lastUsers.store(file, ordering: .relaxed) }
    return !isOwn
  }

  /// The file found last that is a user's: mostly, many promises come from one.
  private static let lastUsers = Atomic<UInt>(0)

  private func hasPrefix(_ prefix: StaticString) -> Bool {
    guard let file = unsafe file else { return false }
    // Unsafe: both end with a zero.
    return unsafe strncmp(
      UnsafeRawPointer(file).assumingMemoryBound(to: CChar.self),
      UnsafeRawPointer(prefix.utf8Start).assumingMemoryBound(to: CChar.self), prefix.utf8CodeUnitCount) == 0
  }

  /// As in "Weather/Loader.swift:31"; `nil` if no user has made the promise.
  var text: String? {
    guard isUsers, let file = unsafe file else { return nil }
    // Unsafe: as in `isUsers`.
    return "\(unsafe String(cString: file)):\(line)"
  }

  private static let ownModules: [StaticString] = [
    "Overmorrow/", "OvermorrowC/", "OvermorrowFoundation/", "OvermorrowTesting/", "Tomorrowland/", "FranticApparatus/",
    "PromiseQ/", "PromiseQBase/", "ShallowPromises/",
  ]
}
