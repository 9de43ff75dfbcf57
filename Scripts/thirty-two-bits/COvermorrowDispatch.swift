// The functions of the C target of the same name.

public func overmorrow_dispatch_async(
  _ queue: OpaquePointer, _ context: UnsafeMutableRawPointer?, _ work: @convention(c) (UnsafeMutableRawPointer?) -> Void
) {}
public func overmorrow_dispatch_main_queue() -> OpaquePointer { fatalError() }
public func overmorrow_dispatch_utility_queue() -> OpaquePointer { fatalError() }
