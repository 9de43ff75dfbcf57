/// Makes one address of a value that is longer than a word, or whose alignment is too strict for the place that is there.
@usableFromInline
final class Box<T> {
  @usableFromInline let value: T

  @usableFromInline
  init(_ value: T) { self.value = value }
}
