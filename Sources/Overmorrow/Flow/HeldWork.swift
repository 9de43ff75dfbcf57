/// Work that makes a promise, held back until it is started; asked to cancel before it runs, it never does.
///
/// It holds the resolver of the promise that stands for the work: when it is dropped before it has run, as by an
/// executor, that promise is cancelled.
final class HeldWork<Value: Sendable, Failure: Sendable>: Sendable {
  typealias Resolver = Promise<Value, Failure>.Resolver
  typealias Work = @Sendable (Resolver) -> Promise<Value, Failure>

  private let context: PromiseContext
  private let resolver: Resolver
  private let work: TakeOnce<Work>

  private init(on context: PromiseContext, _ resolver: Resolver, _ work: TakeOnce<Work>) {
    self.context = context
    self.resolver = resolver
    self.work = work
  }

  /// The work, and the promise that will adopt what it makes on a context.
  static func make(
    on context: PromiseContext, at site: CallSite = CallSite(#fileID, 0), by kind: ProducerKind = .resolver,
    _ work: @escaping Work
  ) -> (Promise<Value, Failure>, HeldWork) {
    let (promise, resolver) = Promise<Value, Failure>.makeForLibrary(at: site, by: kind)
    // The handler shares the work, not the resolver, which it must not keep. The code that takes the work decides.
    let work = TakeOnce(work)
    resolver.onRequestCancelWhileKept({ resolver in
      if work.take() != nil { resolver.cancel() }
    })
    return (promise, HeldWork(on: context, resolver, work))
  }

  /// Runs the work on its context, inside this call for `.immediate` and `.nowOr`; a second call does nothing.
  func start() {
    Pass.perform(on: context) { [self] in
      if let work = work.take() { resolver.resolve(with: work(resolver)) }
    }
  }

  /// Cancels the promise if the work has not begun.
  func cancel() {
    if work.take() != nil { resolver.cancel() }
  }
}

extension Promise where Failure: Error {
  /// The promise that a closure makes, or one for the error that it throws.
  package static func rejectedIfThrown(_ body: () throws(Failure) -> Promise) -> Promise {
    do throws(Failure) { return try body() } catch { return Promise(rejected: error) }
  }
}
