internal import OvermorrowEngine

extension Finding {
  /// Creates the finding of a mistake that the engine has found.
  init(_ mistake: Mistake, origin: String?) {
    switch mistake {
    case .resolvedWithItself: self = .resolvedWithItself(origin: origin)
    case .resolverDropped: self = .resolverDropped(origin: origin)
    case .resolvedTwice(let isRejection): self = .resolvedTwice(origin: origin, isRejection: isRejection)
    }
  }
}
