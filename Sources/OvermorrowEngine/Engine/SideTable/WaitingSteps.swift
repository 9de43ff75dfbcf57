/// The steps through which a combinator waits for its inputs. Each step has a vote on one input.
///
/// A step's callback may retain this object. This reference cycle ends when the step runs, or with a call of
/// ``dropWaiting()``.
@usableFromInline
package final class WaitingSteps: Sendable {
  struct State {
    var lists = SweptList<StepList>()
    var isAsked = false
    var isEnded = false
  }

  let state = Guarded(State())
  /// Whether the steps affect only the promise that waits through them. If so, they may end when that promise is no
  /// longer observed.
  let mayEndUnobserved: Bool

  @usableFromInline
  package init(mayEndUnobserved: Bool = false) { self.mayEndUnobserved = mayEndUnobserved }

  /// Whether there are steps, resolved or not. The first list has one, unless there are none.
  package var hasSteps: Bool { state.withLock { $0.lists.elements }.contains { !$0.cores.all.isEmpty } }

  /// Adds counts on the steps.
  ///
  /// - Parameter unresolved: The largest number of unresolved steps to keep; `nil` to keep all steps.
  package func keepCores(in kept: inout OwnedCores, unresolved: Int? = nil) {
    // Under the lock, the lists are only retained, because they may be long.
    let lists = state.withLock { $0.lists.elements }
    withExtendedLifetime(lists) {
      var rest = unresolved ?? .max
      for list in lists {
        for core in list.cores.all {
          if rest == 0 { return }
          if unresolved != nil, core.state.isResolved { continue }
          kept.keep(Owned(core))
          rest -= 1
        }
      }
    }
  }
}

/// Steps that were registered together.
final class StepList: Sendable {
  let cores: OwnedCores
  /// The handle of a single step, if the step must not be sealed.
  private let handle: (any Sendable)?

  init(_ cores: consuming OwnedCores, _ handle: (any Sendable)? = nil) {
    self.cores = cores
    self.handle = handle
  }

  var isWaiting: Bool { cores.all.contains { $0.state.isPending } }
}
