extension CoreRef {
  /// The core's address as text. It identifies the promise among those that exist at the same time.
  package var identity: String { CoreRef.identity(of: address) }

  static func identity(of address: UInt) -> String { "0x" + String(address, radix: 16) }
}
