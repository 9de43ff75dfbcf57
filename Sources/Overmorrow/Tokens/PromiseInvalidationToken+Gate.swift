extension [PromiseInvalidationToken] {
  /// The gate of a callback with all these tokens, and with one more token if there is one.
  @usableFromInline
  func gate(with token: PromiseInvalidationToken?) -> Gate? {
    guard let first else { return token?.gate }
    if count == 1, token == nil || token == first { return first.gate }
    return Gate(first.roster, others: dropFirst().map(\.roster) + (token.map { [$0.roster] } ?? []))
  }
}
