/// Where a callback runs that belongs to an actor: there.
///
/// A closure that is written in a method of an actor, or of a class of `MainActor`, belongs to that actor. Given to a
/// promise without a ``PromiseContext``, it runs on that actor, and may use its state as the code around it does:
///
/// ```swift
/// @MainActor final class ProfileView {
///   var title = "…"
///
///   func show(_ user: Promise<User, any Error>) {
///     user.then { self.title = $0.name }
///   }
/// }
/// ```
///
/// A closure may also name its actor: `{ @MainActor user in … }` runs on the main actor wherever it was written. A closure
/// that belongs to no actor runs on ``PromiseContext/auto``.
///
/// On the main actor means on the main queue, in one pass with whatever else runs on ``PromiseContext/main``. On any
/// other actor, callbacks run in the order in which they became ready.
public struct IsolatedContext: Sendable, Hashable {
  private enum Kind: Hashable, Sendable {
    case here
    case nowOrHere
    case exactly(PromiseContext)
  }

  private let kind: Kind

  /// On the actor that the closure belongs to, soon. The default of all observers.
  public static let here = IsolatedContext(kind: .here)

  /// Inside the registering call, if the promise is resolved already and that call is made on the actor that the closure
  /// belongs to; otherwise as ``here``.
  ///
  /// Use it where a value that is there must be shown without delay. ``PromiseContext/isExecutingNow`` tells the callback
  /// which of the two happened.
  public static let nowOrHere = IsolatedContext(kind: .nowOrHere)

  /// On a context, whatever the closure belongs to: for code that is older than the compiler's checks.
  package static func exactly(_ context: PromiseContext) -> IsolatedContext { IsolatedContext(kind: .exactly(context)) }

  /// The context for a closure.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the closure belongs to.
  ///   - caller: The actor on which it is registered.
  @usableFromInline
  func context(of isolation: (any Actor)?, registeredOn caller: (any Actor)?) -> PromiseContext {
    context(of: isolation, registeredOn: caller, otherwise: .auto)
  }

  /// The context for a closure.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the closure belongs to.
  ///   - caller: The actor on which it is registered.
  ///   - fallback: The context for a closure that belongs to no actor.
  func context(
    of isolation: (any Actor)?, registeredOn caller: (any Actor)?, otherwise fallback: @autoclosure () -> PromiseContext
  ) -> PromiseContext {
    if case .exactly(let context) = kind { return context }
    let context: PromiseContext = isolation.map { $0 === MainActor.shared ? .main : .actor($0) } ?? fallback()
    return kind == .nowOrHere && caller === isolation ? .nowOr(context) : context
  }
}
