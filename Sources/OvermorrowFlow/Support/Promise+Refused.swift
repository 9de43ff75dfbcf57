public import Overmorrow
public import OvermorrowEngine

extension Promise where Failure == any Error {
  /// Returns a promise for refused work. This function is not inlined, so that admitted work does not search the
  /// metadata of the types of a refused promise.
  @usableFromInline
  @inline(never)
  static func refused(_ error: PromiseRefusalError, at site: CallSite) -> Promise {
    Promise(with: .error(error), site: site)
  }
}
