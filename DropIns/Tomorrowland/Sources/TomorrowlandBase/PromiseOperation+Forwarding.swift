package import Overmorrow
package import OvermorrowFoundation

extension PromiseOperation {
  package convenience init(
    running body: @escaping @Sendable (_ resolver: Resolver) -> Void, on context: PromiseContext, fileID: StaticString,
    line: UInt
  ) {
    self.init(on: context, fileID: fileID, line: line, body)
  }
}
