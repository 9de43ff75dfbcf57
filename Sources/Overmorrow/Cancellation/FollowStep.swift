public import OvermorrowEngine

/// A step without a callback. The step forwards the result of its source without a hop. `P` says how the step takes
/// part in cancellation.
@usableFromInline
enum FollowStep<Value: Sendable, Failure: Sendable, P: Participation>: Step {
  @inlinable static var traits: Traits { P.traits }

  @inlinable
  static func run(_ callback: Void, _ input: PromiseResult<Value, Failure>) -> PromiseStepResult<Value, Failure> {
    .result(input)
  }

  @inlinable
  static func forward(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Value, Failure> { input }
}

/// The way in which a promise takes part in the cancellation of the promise that it follows.
@usableFromInline
protocol Participation: SendableMetatype {
  static var traits: Traits { get }
}

/// One vote, which a request to cancel withdraws.
@usableFromInline
enum WithdrawableVote: Participation {
  @inlinable static var traits: Traits { .takesPart }
}

/// No vote. The promise passes no request to cancel on, and the requests of other children do not wait for the promise.
@usableFromInline
enum NoVote: Participation {
  @inlinable static var traits: Traits { [] }
}

/// A vote that is never withdrawn.
@usableFromInline
enum PermanentVote: Participation {
  @inlinable static var traits: Traits { .votes }
}

/// One vote, which a request to cancel withdraws, and a handler for the request.
@usableFromInline
enum VoteWithHandlers: Participation {
  @inlinable static var traits: Traits { [.takesPart, .hasHandlers] }
}

/// The participation of a step that the library makes for itself, and for which the promise need not stay.
@usableFromInline
enum PassivePart: Participation {
  @inlinable static var traits: Traits { [.library, .passive] }
}

/// Like ``PassivePart``, for a step that counts as an observer of an error.
@usableFromInline
enum PassiveReader: Participation {
  @inlinable static var traits: Traits { .passive }
}
