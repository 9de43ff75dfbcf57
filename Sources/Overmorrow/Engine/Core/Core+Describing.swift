/// What a person who debugs a program is told of a core.
extension CoreRef {
  /// Tells two promises apart that exist at the same time.
  var identity: String { CoreRef.identity(of: address) }

  static func identity(of address: UInt) -> String { "0x" + String(address, radix: 16) }

  /// What is known of a promise without a result.
  var unresolvedState: String {
    switch state.phase {
    // Whoever has a resolver has the claim from the beginning.
    case .claimed where !traits.contains(.produced): "unresolved, its callback runs"
    case .adopting: "unresolved, follows another promise"
    default: "unresolved"
    }
  }
}
