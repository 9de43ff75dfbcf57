extension LazyPromise: CustomDebugStringConvertible, CustomReflectable {
  /// The types of the promise. If the work has not started, also the place where the lazy promise was made and the
  /// context of its body. If the work has started, also the debug description of the promise. This call does not start
  /// the work.
  public var debugDescription: String { "LazyPromise<\(Value.self), \(Failure.self)>(\(content.text))" }

  /// The mirror that `dump` and a debugger show: the `promise`, or its `state` if the work has not started. This call
  /// does not start the work.
  public var customMirror: Mirror {
    let content = content
    let child: Mirror.Child = content.promise.map { ("promise", $0) } ?? ("state", content.text)
    return Mirror(self, children: [child], displayStyle: .struct)
  }
}
