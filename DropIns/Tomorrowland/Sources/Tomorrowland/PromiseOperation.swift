public import Foundation
import Overmorrow
public import OvermorrowFoundation
internal import TomorrowlandBase

/// An operation whose work resolves a promise. This name stands for `PromiseOperation` of OvermorrowFoundation.
public typealias PromiseOperation<Value: Sendable, Failure: Sendable> =
  OvermorrowFoundation.PromiseOperation<Value, Failure>

/// A `PromiseOperation` whose failure type is `any Error`.
public typealias StdPromiseOperation<Value: Sendable> = PromiseOperation<Value, any Error>

extension OvermorrowFoundation.PromiseOperation {
  /// The failure type under its name in Tomorrowland.
  public typealias Error = Failure

  /// Creates an operation. The closure runs when the operation is started. See `PromiseOperation.init(on:_:)` of
  /// OvermorrowFoundation.
  public convenience init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ handler: @escaping @Sendable @isolated(any) (_ resolver: Resolver) -> Void
  ) {
    self.init(running: PromiseAdapter.plain(handler), on: context, fileID: fileID, line: line)
  }
}

extension OvermorrowFoundation.PromiseOperation where Failure == any Swift.Error {
  /// Creates an operation. The closure runs when the operation is started. See `PromiseOperation.init(on:_:)` of
  /// OvermorrowFoundation.
  public convenience init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ handler: @escaping @Sendable @isolated(any) (_ resolver: Resolver) throws -> Void
  ) {
    let handler = PromiseAdapter.plain(handler)
    self.init(
      running: { resolver in
        do { try handler(resolver) } catch { resolver.reject(with: error) }
      }, on: context, fileID: fileID, line: line)
  }
}

extension OvermorrowFoundation.PromiseOperation where Failure: Swift.Error {
  /// Hides the initialiser of OvermorrowFoundation.
  @_disfavoredOverload
  public convenience init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (_ resolver: Resolver) throws(Failure) -> Void
  ) {
    self.init(
      running: { resolver in
        do throws(Failure) { try body(resolver) } catch { resolver.reject(with: error) }
      }, on: context, fileID: fileID, line: line)
  }
}

extension PromiseContext {
  /// Returns the context of an operation queue. See `PromiseContext.operationQueue` of OvermorrowFoundation.
  public static func operationQueue(_ queue: OperationQueue) -> PromiseContext { .executor(queue) }
}
