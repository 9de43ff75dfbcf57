/// One exchange with a server. An attempt makes one, and another one each time that it is resumed.
///
/// It reports to the attempt's ``Transfer`` until it is forgotten or given up.
protocol Exchange: AnyObject, Sendable {
  /// Begins. Called once.
  func start()

  /// Suspends the exchange.
  ///
  /// - Returns: Whether it can be suspended; otherwise it must be given up, and another one made.
  func suspend() -> Bool

  /// Goes on after having been suspended.
  func resume()

  /// Ends soon: its result is no longer wanted.
  func giveUp()

  /// It will not begin.
  func forget()
}

/// Makes the exchanges of a session.
protocol Carrier: Sendable {
  /// An exchange that reports to a transfer. The caller starts or forgets it.
  func exchange(_ order: TransferOrder, for transfer: Transfer) -> any Exchange
}
