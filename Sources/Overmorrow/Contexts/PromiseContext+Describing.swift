internal import Dispatch

extension PromiseContext: CustomStringConvertible {
  /// The case of the context, with the label of its queue, the name of its executor, or the type of its actor, such as
  /// `queue(disk)` or `nowOr(main)`.
  public var description: String {
    var (context, depth) = (self, 0)
    while case .nowOr(let inner) = context { (context, depth) = (inner, depth + 1) }
    let name =
      switch context {
      case .main: "main"
      case .background: "background"
      case .utility: "utility"
      case .default: "default"
      case .userInitiated: "userInitiated"
      case .userInteractive: "userInteractive"
      case .queue(let queue): "queue(\(queue.label.isEmpty ? "without a label" : queue.label))"
      case .executor(let executor): "executor(\(executor.shownName))"
      case .actor(let actor): "actor(\(type(of: actor)))"
      case .immediate: "immediate"
      case .nowOr: "nowOr"
      }
    return String(repeating: "nowOr(", count: depth) + name + String(repeating: ")", count: depth)
  }
}
