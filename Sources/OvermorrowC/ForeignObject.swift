public import Overmorrow

/// An object of another language, as the value or the error of a promise.
///
/// It is released when no promise holds it any more.
@safe
public final class ForeignObject: Error, @unchecked Sendable {
  // Sendable: both fields are constant, and the rules of the header (C4) let any thread release the object.
  private let storage: UnsafeMutableRawPointer?
  private let release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?

  /// An object by its address.
  ///
  /// - Parameters:
  ///   - pointer: The address; may be `nil`.
  ///   - release: Called once with the address, on any thread, when no promise holds the object any more.
  public init(
    _ pointer: UnsafeMutableRawPointer?, release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)? = nil
  ) {
    // Unsafe: the address is only kept, for its owner.
    unsafe storage = pointer
    unsafe self.release = release
  }

  /// A Swift object, which is retained until no promise holds it any more.
  ///
  /// - Parameter object: What ``object`` returns.
  public convenience init(retaining object: AnyObject) {
    // Unsafe: the reference that is taken here is given back by the release function, once (C4).
    unsafe self.init(Unmanaged.passRetained(object).toOpaque()) { pointer in
      if let pointer = unsafe pointer { unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release() }
    }
  }

  /// The address. It is valid as long as this object, or a promise that holds it.
  public var pointer: UnsafeMutableRawPointer? { unsafe storage }

  /// The object at the address, which must be one of the Swift or the Objective-C runtime; `nil` if there is none.
  public var object: AnyObject? {
    // Unsafe: the address stands for a reference that this object owns.
    unsafe storage.map { unsafe Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
  }

  deinit {
    // Unsafe: the last use of the address (C4).
    unsafe release?(storage)
  }
}

/// A promise as the C interface has it.
public typealias ForeignPromise = Promise<ForeignObject, ForeignObject>
