/// A step without a callback. It passes the result on without a hop, and `P` says how it takes part in cancellation.
@usableFromInline
enum FollowStep<Value: Sendable, Failure: Sendable, P: Participation>: Step {
  @inlinable static var traits: Traits { P.traits }

  @inlinable
  static func run(_ callback: Void, _ input: PromiseResult<Value, Failure>) -> StepResult<Value, Failure> {
    .result(input)
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Value, Failure> { input }
}

/// The way in which a promise takes part in the cancellation of the promise that it follows.
@usableFromInline
protocol Participation: SendableMetatype {
  static var traits: Traits { get }
}

/// One vote, withdrawn by a request.
@usableFromInline
enum WithdrawableVote: Participation {
  @inlinable static var traits: Traits { .takesPart }
}

/// No vote: the promise neither passes a request on nor stops the requests of others.
@usableFromInline
enum NoVote: Participation {
  @inlinable static var traits: Traits { [] }
}

/// A vote that is never withdrawn.
@usableFromInline
enum PermanentVote: Participation {
  @inlinable static var traits: Traits { .votes }
}

/// One vote, withdrawn by a request, and a handler for the request.
@usableFromInline
enum VoteWithHandlers: Participation {
  @inlinable static var traits: Traits { [.takesPart, .hasHandlers] }
}
