// The declarations of the C library that the core uses, with their types on a 32-bit Linux.

public typealias pthread_key_t = UInt32
public typealias pthread_t = UInt

public func pthread_getspecific(_ key: pthread_key_t) -> UnsafeMutableRawPointer? { nil }
public func pthread_setspecific(_ key: pthread_key_t, _ value: UnsafeRawPointer?) -> Int32 { 0 }
public func pthread_key_create(
  _ key: UnsafeMutablePointer<pthread_key_t>?, _ end: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
) -> Int32 { 0 }
@discardableResult public func pthread_key_delete(_ key: pthread_key_t) -> Int32 { 0 }
public func pthread_create(
  _ thread: UnsafeMutablePointer<pthread_t>?, _ attributes: UnsafeRawPointer?,
  _ body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?, _ argument: UnsafeMutableRawPointer?
) -> Int32 { 0 }
@discardableResult public func pthread_detach(_ thread: pthread_t) -> Int32 { 0 }
public let _SC_NPROCESSORS_ONLN: Int32 = 84
public func sysconf(_ name: Int32) -> Int { 1 }
@discardableResult public func sched_yield() -> Int32 { 0 }

public let STDERR_FILENO: Int32 = 2
public let SIGQUIT: Int32 = 3
public typealias SignalHandler = @convention(thin) (Int32) -> Void
public let SIG_IGN: SignalHandler? = nil
public func signal(_ number: Int32, _ handler: SignalHandler?) -> SignalHandler? { nil }
public func write(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { count }
public func getenv(_ name: UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>? { nil }
public func getpid() -> Int32 { 0 }
public func atexit(_ body: @convention(c) () -> Void) -> Int32 { 0 }
public enum CommandLine { public static let arguments: [String] = [] }
public func malloc(_ size: Int) -> UnsafeMutableRawPointer? { nil }
public func free(_ memory: UnsafeMutableRawPointer?) {}
