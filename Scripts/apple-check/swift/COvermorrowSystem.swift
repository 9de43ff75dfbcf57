// A stub for the part of our C headers that is about Dispatch, which is a stub itself. The other headers are the real ones.
@_exported import COvermorrowSystem
import Dispatch
import Swift
public func overmorrow_dispatch_async(
  _ queue: DispatchQueue, _ context: UnsafeMutableRawPointer?, _ work: @convention(c) (UnsafeMutableRawPointer?) -> Void
) {}
