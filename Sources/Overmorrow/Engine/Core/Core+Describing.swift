/// Descriptions of a core, for debugging.
extension CoreRef {
  /// The core's address as text. It identifies the promise among those that exist at the same time.
  var identity: String { CoreRef.identity(of: address) }

  static func identity(of address: UInt) -> String { "0x" + String(address, radix: 16) }

  /// A description of the state of an unresolved promise.
  var unresolvedState: String {
    switch state.phase {
    // A core with a resolver is claimed from the start.
    case .claimed where !traits.contains(.produced): "unresolved, its callback runs"
    case .adopting: "unresolved, follows another promise"
    default: "unresolved"
    }
  }
}
