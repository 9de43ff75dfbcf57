extension [PromiseInvalidationToken] {
  /// Returns the gate of a callback that is registered with all these tokens and, if `token` is not `nil`, with
  /// `token`. Returns `nil` if there is no token at all.
  @usableFromInline
  func gate(with token: PromiseInvalidationToken?) -> Gate? {
    guard let first else { return token?.gate }
    if count == 1, token == nil || token == first { return first.gate }
    return Gate(first.roster, others: dropFirst().map(\.roster) + (token.map { [$0.roster] } ?? []))
  }
}
