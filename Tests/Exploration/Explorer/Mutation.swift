import Overmorrow

@testable import OvermorrowEngine

/// A memory order to weaken.
struct Mutation {
  let file: String
  let line: UInt
  let isFailure: Bool
  let order: Access.Order

  // Set once, before exploration begins.
  nonisolated(unsafe) static var current: Mutation?

  /// Parses `file:line:success|failure:order`.
  init?(_ text: String) {
    let parts = text.split(separator: ":")
    guard parts.count == 4, let line = UInt(parts[1]),
      let order = Access.Order.allCases.first(where: { "\($0)" == parts[3] })
    else { return nil }
    file = String(parts[0])
    self.line = line
    isFailure = parts[2] == "failure"
    self.order = order
  }

  static func order(of access: Access) -> (success: Access.Order, failure: Access.Order) {
    guard let current, access.site.line == current.line, "\(access.site.file)".hasSuffix(current.file) else {
      return (access.order, access.failureOrder)
    }
    Explorer.isMutationReached = true
    return current.isFailure ? (access.order, current.order) : (current.order, access.failureOrder)
  }
}
