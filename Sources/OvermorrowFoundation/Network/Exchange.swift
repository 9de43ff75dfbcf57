/// A request and its response, sent and received once. An attempt starts one exchange. If the exchange cannot be
/// suspended, the attempt abandons the exchange, and starts another exchange when the attempt is resumed.
///
/// The exchange reports to the ``Transfer`` of the attempt until the exchange is abandoned.
protocol Exchange: AnyObject, Sendable {
  /// Starts the exchange without waiting for the network. The attempt calls this function at most once. If the exchange
  /// has been abandoned, does nothing.
  func start()

  /// Suspends the exchange.
  ///
  /// - Returns: `true` if the exchange is suspended. If `false`, the caller must abandon the exchange and later start
  ///   another exchange.
  func suspend() -> Bool

  /// Resumes the exchange.
  func resume()

  /// Abandons the exchange, because its result is no longer needed. The exchange ends soon, and has no further effect.
  func abandon()
}

/// Creates the exchanges of a session.
protocol Carrier: Sendable {
  /// Returns the reason why this session cannot send a request; `nil` if the session can send the request.
  func problem(of order: TransferOrder) -> NetworkError?

  /// Creates an exchange that reports to a transfer. The exchange uses no connection until it is started.
  func exchange(_ order: TransferOrder, for transfer: Transfer) -> any Exchange
}
