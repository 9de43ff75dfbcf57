/// One exchange with a server, of which an attempt makes one, or one more each time that it is resumed.
///
/// What makes it tells the attempt's ``Transfer`` what happens, until it is forgotten or given up.
protocol Exchange: AnyObject, Sendable {
  /// Begins; to be called once.
  func start()

  /// Stops where it is.
  ///
  /// - Returns: Whether it can; otherwise it has to be given up, and another one made.
  func suspend() -> Bool

  /// Goes on after having been suspended.
  func resume()

  /// Ends soon: its result is no longer wanted.
  func giveUp()

  /// It will not begin.
  func forget()
}

/// What exchanges of a session go through.
protocol Carrier: Sendable {
  /// An exchange that tells a transfer of what happens; it is to be started, or forgotten.
  func exchange(_ order: TransferOrder, for transfer: Transfer) -> any Exchange
}
