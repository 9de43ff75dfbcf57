// A stub of the C header for Dispatch, because Dispatch is a stub itself. The other headers are the real ones.
@_exported import COvermorrowSystem
import Dispatch
import Swift
public func overmorrow_dispatch_async(
  _ queue: DispatchQueue, _ context: UnsafeMutableRawPointer?, _ work: @convention(c) (UnsafeMutableRawPointer?) -> Void
) {}

public func overmorrow_runs_on_queue() -> Bool { false }
public func overmorrow_make_thread_key(
  _ made: UnsafeMutablePointer<UInt>, _ end: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
) -> Bool { false }
public func overmorrow_delete_thread_key(_ key: UInt) {}
public func overmorrow_thread_value(_ key: UInt) -> UnsafeMutableRawPointer? { nil }
public func overmorrow_set_thread_value(_ key: UInt, _ value: UnsafeMutableRawPointer?) -> Bool { false }
