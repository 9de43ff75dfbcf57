extension PromiseResult {
  /// One key for each outcome. The value of `cancelled` is `true`.
  private enum CodingKeys: String, CodingKey { case value, error, cancelled }
}

extension PromiseResult: Encodable where Value: Encodable, Failure: Encodable {
  /// Writes a container with one key: `value`, `error`, or `cancelled` with `true`.
  ///
  /// - Throws: Any error that the encoding of the value or the error throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .value(let value): try container.encode(value, forKey: .value)
    case .error(let error): try container.encode(error, forKey: .error)
    case .cancelled: try container.encode(true, forKey: .cancelled)
    }
  }
}

extension PromiseResult: Decodable where Value: Decodable, Failure: Decodable {
  /// Creates a result from the container that `encode(to:)` writes.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the container does not have exactly one of the three keys, or if the
  ///   value of `cancelled` is `false`. Any error that the decoding of the value or the error throws.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let keys = container.allKeys
    guard keys.count == 1, let key = keys.first else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "expected exactly one of the keys value, error, cancelled; found \(keys.map(\.rawValue))"))
    }
    switch key {
    case .value: self = .value(try container.decode(Value.self, forKey: key))
    case .error: self = .error(try container.decode(Failure.self, forKey: key))
    case .cancelled:
      guard try container.decode(Bool.self, forKey: key) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "expected true for the key cancelled, found false")
      }
      self = .cancelled
    }
  }
}
