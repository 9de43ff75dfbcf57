public import Overmorrow

/// The value or the error of a promise, as an object of another language.
///
/// The object is released when no promise holds it any more.
@safe
public final class ForeignObject: Error, @unchecked Sendable {
  // Sendable because both fields are constant, and the rules of the header allow any thread to release the object (C4).
  private let storage: UnsafeMutableRawPointer?
  private let release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?

  /// Creates an object from an address.
  ///
  /// - Parameters:
  ///   - pointer: The address; may be `nil`.
  ///   - release: The function that is called once with the address, on any thread, when no promise holds the object
  ///     any more.
  public init(
    _ pointer: UnsafeMutableRawPointer?, release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)? = nil
  ) {
    // Unsafe: no memory is accessed, because the address is only stored.
    unsafe storage = pointer
    unsafe self.release = release
  }

  /// Creates an object that retains a Swift object. The Swift object is released with the created object.
  ///
  /// - Parameter object: The Swift object, which ``object`` returns.
  public convenience init(retaining object: AnyObject) {
    // Unsafe: the release function releases the reference that this initialiser takes, once (C4).
    unsafe self.init(Unmanaged.passRetained(object).toOpaque()) { pointer in
      if let pointer = unsafe pointer { unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release() }
    }
  }

  /// The address. The address is valid as long as this object exists. A promise that has this object as its result
  /// keeps the object alive.
  public var pointer: UnsafeMutableRawPointer? { unsafe storage }

  /// The object at the address; `nil` if there is no address.
  ///
  /// The address must be that of an object of the Swift or the Objective-C runtime.
  public var object: AnyObject? {
    // Unsafe: the address is a reference that this object owns.
    unsafe storage.map { unsafe Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
  }

  deinit {
    // Unsafe: the address is released once, because no code uses the address after this call (C4).
    unsafe release?(storage)
  }
}

/// The type of the promises in the C interface.
public typealias ForeignPromise = Promise<ForeignObject, ForeignObject>
