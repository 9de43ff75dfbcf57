/// A request and its response, sent and received once. An attempt starts one exchange, and another one each time it is
/// resumed after its exchange could not be suspended.
///
/// It reports to the attempt's ``Transfer`` until it is abandoned.
protocol Exchange: AnyObject, Sendable {
  /// Starts the exchange, and does not wait for the network. Called once at most. Has no effect if the exchange has
  /// been abandoned.
  func start()

  /// Suspends the exchange.
  ///
  /// - Returns: `true` if the exchange can be suspended. If not, it must be abandoned and replaced by another one.
  func suspend() -> Bool

  /// Resumes the exchange.
  func resume()

  /// Abandons the exchange, because its result is no longer wanted. It ends soon, and reports nothing more.
  func abandon()
}

/// Makes the exchanges of a session.
protocol Carrier: Sendable {
  /// Returns the reason why this session cannot send a request, or `nil`.
  func problem(of order: TransferOrder) -> NetworkError?

  /// Makes an exchange that reports to a transfer. It uses nothing until it is started.
  func exchange(_ order: TransferOrder, for transfer: Transfer) -> any Exchange
}
