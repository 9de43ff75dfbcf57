// The functions of the C target with the same name.

public func overmorrow_dispatch_async(
  _ queue: OpaquePointer, _ context: UnsafeMutableRawPointer?, _ work: @convention(c) (UnsafeMutableRawPointer?) -> Void
) {}
public func overmorrow_dispatch_main_queue() -> OpaquePointer { fatalError() }
public func overmorrow_dispatch_utility_queue() -> OpaquePointer { fatalError() }

public func overmorrow_atomic_store(_ word: UnsafeMutableRawPointer, _ size: Int, _ value: UInt64, _ order: Int32) {}
public func overmorrow_atomic_exchange(
  _ word: UnsafeMutableRawPointer, _ size: Int, _ value: UInt64, _ order: Int32
) -> UInt64 { 0 }
public func overmorrow_atomic_add(
  _ word: UnsafeMutableRawPointer, _ size: Int, _ value: UInt64, _ order: Int32
) -> UInt64 { 0 }
public func overmorrow_atomic_and(
  _ word: UnsafeMutableRawPointer, _ size: Int, _ value: UInt64, _ order: Int32
) -> UInt64 { 0 }
public func overmorrow_atomic_or(
  _ word: UnsafeMutableRawPointer, _ size: Int, _ value: UInt64, _ order: Int32
) -> UInt64 { 0 }
public struct overmorrow_exchange {
  public var original: UInt64
  public var exchanged: Bool
}
public func overmorrow_atomic_compare_exchange(
  _ word: UnsafeMutableRawPointer, _ size: Int, _ expected: UInt64, _ desired: UInt64, _ weak: Bool, _ success: Int32,
  _ failure: Int32
) -> overmorrow_exchange { fatalError() }

public func overmorrow_thread_number() -> UInt32 { 0 }
public func overmorrow_is_main_thread() -> Bool { false }
public func overmorrow_capture_calls(_ addresses: UnsafeMutablePointer<UInt>, _ limit: Int32) -> Int32 { 0 }
public func overmorrow_capture_frames(_ addresses: UnsafeMutablePointer<UInt>, _ limit: Int32) -> Int32 { 0 }
public func overmorrow_function(_ address: UInt) -> UnsafePointer<CChar>? { nil }
public func overmorrow_set_layout(_ words: UnsafePointer<UInt>, _ count: UInt32) {}
public func overmorrow_lock_take(_ lock: UnsafeMutablePointer<UInt32>) {}
public func overmorrow_lock_try(_ lock: UnsafeMutablePointer<UInt32>) -> Bool { true }
public func overmorrow_lock_give(_ lock: UnsafeMutablePointer<UInt32>) {}

public func overmorrow_runs_on_queue() -> Bool { false }
public func overmorrow_make_thread_key(
  _ made: UnsafeMutablePointer<UInt>, _ end: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
) -> Bool { false }
public func overmorrow_delete_thread_key(_ key: UInt) {}
public func overmorrow_thread_value(_ key: UInt) -> UnsafeMutableRawPointer? { nil }
public func overmorrow_set_thread_value(_ key: UInt, _ value: UnsafeMutableRawPointer?) -> Bool { false }

public func overmorrow_size_class(_ bytes: Int) -> UInt32 { 0 }
public func overmorrow_allocate(_ size_class: UInt32, _ bytes: Int) -> UnsafeMutableRawPointer { fatalError() }
public func overmorrow_free(_ block: UnsafeMutableRawPointer, _ size_class: UInt32) {}

public struct overmorrow_record {
  public var number: UInt32 = 0
  public var source: UInt32 = 0
  public var calls: (UInt64, UInt64) = (0, 0)
  public var adopted: UInt32 = 0
  public var flags: UInt32 = 0
  public init() {}
}
public var OVERMORROW_RECORDS: Int32 { 16384 }
public var OVERMORROW_RECORD_REJECTS: UInt32 { 0x8000_0000 }
public var OVERMORROW_RECORD_AFTER_ERROR: UInt32 { 0x4000_0000 }
public var OVERMORROW_RECORD_IS_ROOT: UInt32 { 0x2000_0000 }
public var OVERMORROW_RECORD_PASSES_ON: UInt32 { 0x1000_0000 }
public func overmorrow_find_record(_ number: UInt32, _ record: UnsafeMutablePointer<overmorrow_record>) -> Bool {
  false
}
public func overmorrow_amend_record(_ number: UInt32, _ adopted: UInt32, _ flags: UInt32) {}
public func overmorrow_record_root(_ file: UInt, _ length: Int, _ line: UInt, _ flags: UInt32) -> UInt32 { 0 }
public func overmorrow_record_step(_ source: UInt32, _ flags: UInt32) -> UInt32 { 0 }
public func overmorrow_image(_ address: UInt, _ start: UnsafeMutablePointer<UInt>) -> UnsafePointer<CChar>? { nil }
