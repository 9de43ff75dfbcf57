/// An object for a value that is longer than a word but needs one address, or whose alignment is too strict for a
/// payload.
@usableFromInline
final class Box<T> {
  @usableFromInline let value: T

  @usableFromInline
  init(_ value: T) { self.value = value }
}
