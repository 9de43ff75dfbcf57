internal import COvermorrow
internal import Overmorrow

extension ForeignObject {
  /// Creates an object from a C object that is given away (C4).
  convenience init(_ object: ovm_object) {
    // Unsafe: C4.
    unsafe self.init(object.pointer, release: object.release)
  }
}

extension PromiseResult<ForeignObject, ForeignObject> {
  /// Creates a result from an outcome and its object. `OVM_PENDING` counts as `OVM_CANCELLED`.
  init(_ outcome: ovm_outcome, _ object: ForeignObject) {
    switch outcome {
    case OVM_FULFILLED: self = .value(object)
    case OVM_REJECTED: self = .error(object)
    default: self = .cancelled
    }
  }

  var outcome: ovm_outcome {
    switch self {
    case .value: OVM_FULFILLED
    case .error: OVM_REJECTED
    case .cancelled: OVM_CANCELLED
    }
  }

  /// The address of the value or the error; `nil` for a cancellation.
  var pointer: UnsafeMutableRawPointer? {
    switch self {
    case .value(let object), .error(let object): unsafe object.pointer
    case .cancelled: nil
    }
  }
}
