/// Stands for the promise of the original.
public struct Promise<Value> {
  /// The result.
  public let value: Value

  /// Creates a fulfilled promise.
  public init(value: Value) { self.value = value }
}
