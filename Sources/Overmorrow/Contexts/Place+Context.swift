internal import OvermorrowEngine

extension Place {
  /// Creates the place of a context. For `nowOr`, creates the place of the inner context, because `nowOr` says when a
  /// callback runs, and not where.
  @inline(__always)
  init(_ context: PromiseContext) {
    if case .immediate = context { self = .immediate } else { self.init(elsewhere: context) }
  }

  private init(elsewhere context: PromiseContext) {
    switch context {
    case .immediate: self = .immediate
    case .main: self = .main
    case .background: self = .background
    case .utility: self = .utility
    case .default: self = .default
    case .userInitiated: self = .userInitiated
    case .userInteractive: self = .userInteractive
    case .queue(let queue):
      switch NamedQueues.context(of: queue) {
      case .main?: self = .mainTurn
      case let global?: self.init(global)
      case nil: self.init(queue)
      }
    case .executor(let executor): self.init(ExecutorPlace(executor: executor))
    case .actor(let actor): if actor === MainActor.shared { self = .main } else { self.init(actor) }
    case .nowOr(let context): self.init(context)
    }
  }
}

/// An executor of the program as an executor of the engine.
private struct ExecutorPlace: PlaceExecutor {
  let executor: any PromiseExecutor

  var name: String { executor.shownName }

  func enqueue(_ work: @escaping @Sendable () -> Void) { executor.enqueue(work) }
}

extension PromiseContext {
  /// The name of the context in diagnostics.
  package var shownName: String {
    let place = Place(self)
    defer { place.relinquish() }
    return place.description
  }

  /// Whether callbacks on this context run on the main queue, either in a pass or in separate turns.
  var isOnMain: Bool {
    let place = Place(self)
    defer { place.relinquish() }
    return place.isOnMain
  }
}

extension Pass {
  /// Runs work on a context. On `.immediate` and `.nowOr`, runs the work inside this call. On other contexts, runs the
  /// work in a pass.
  static func perform(on context: PromiseContext, _ work: @escaping @Sendable () -> Void) {
    if case .nowOr = context { return performNow(work) }
    perform(at: Place(context), work)
  }
}
