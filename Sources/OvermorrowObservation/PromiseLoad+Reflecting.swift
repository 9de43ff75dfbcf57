internal import Overmorrow
internal import OvermorrowEngine
internal import OvermorrowFlow

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PromiseLoad: CustomDebugStringConvertible, CustomReflectable {
  /// The types of the handle, whether a load is running, and the value, the error and the progress, if there are any.
  ///
  /// The description observes no property. Outside the main queue, it contains only the types.
  public nonisolated var debugDescription: String {
    let parts = children.map { "\($0.label ?? ""): \($0.value)" }
    let state = parts.isEmpty ? "isolated to the main actor" : parts.joined(separator: ", ")
    return "PromiseLoad<\(Input.self), \(Value.self)>(\(state))"
  }

  /// The mirror that `dump` and a debugger show: `isLoading`, and `value`, `error` and `progress`, if there are any.
  ///
  /// The mirror observes no property. Outside the main queue, it has no children.
  public nonisolated var customMirror: Mirror { Mirror(self, children: children, displayStyle: .class) }

  private nonisolated var children: [Mirror.Child] {
    guard MainQueue.isCurrent else { return [] }
    let (isLoading, value, error, progress) = MainActor.assumeIsolated { content }
    var children: [Mirror.Child] = [("isLoading", isLoading)]
    if let value { children.append(("value", value)) }
    if let error { children.append(("error", error)) }
    if let progress { children.append(("progress", progress)) }
    return children
  }
}
