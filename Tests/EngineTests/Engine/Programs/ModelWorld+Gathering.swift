import Overmorrow

/// A combinator in the model, to which its inputs report.
final class ModelGathering {
  let kind: GatherKind
  /// Whether a decision asks the other inputs to cancel.
  let asks: Bool
  let promise: ModelPromise
  var unfinished: Int
  var sum = 0
  /// The number of steps that may still report to it, plus one during the function that makes it.
  var holders = 1
  var steps: [ModelPromise] = []
  var isAsked = false
  var isEnded = false
  /// The promises that a decision asks to cancel.
  var toAsk: [ModelPromise] = []

  init(_ kind: GatherKind, count: Int, asks: Bool) {
    self.kind = kind
    self.asks = asks
    promise = ModelPromise(kind: nil)
    unfinished = count
  }

  /// Returns the combinator's result if this input decides it.
  func decision(of input: ProgramResult) -> ProgramResult? {
    switch (kind, input) {
    case (.fulfilled, .value(let number)):
      sum += number
      return nil
    case (.fulfilled, _): return input
    case (.first, .cancelled): return nil
    case (.first, _): return input
    }
  }

  var conclusion: ProgramResult { kind == .fulfilled ? .value(sum) : .cancelled }
}

/// Combinators, in the model.
extension ModelWorld {
  func gather(_ kind: GatherKind, _ inputs: [Int], asks: Bool, by map: Observer) {
    let inputs = inputs.map { promises[$0]! }
    for input in inputs { input.holders += 1 }
    let gathering = ModelGathering(kind, count: inputs.count, asks: asks)
    let whole = gathering.promise
    whole.gathering = gathering
    whole.recipients = [.gathering(gathering)]
    if asks { gathering.toAsk = inputs.filter { $0.result == nil } }
    let steps = inputs.map { input in
      let step = ModelPromise(kind: .always, isOfCombinator: true)
      step.reportsTo = gathering
      gathering.holders += 1
      events.mayBeInterrupted()
      register(step, on: input)
      return step
    }
    let isEnded = gathering.isEnded
    if !isEnded { gathering.steps = steps }
    if gathering.isAsked { steps.forEach(requestCancel) }
    if isEnded { steps.forEach(dropWaiting) }
    release(gathering)
    let step = ModelPromise(kind: .map)
    step.callback = map.callback
    register(step, on: whole)
    promises[map.promise] = step
    release(whole)
    for input in inputs { release(input) }
  }

  func release(_ gathering: ModelGathering) {
    gathering.holders -= 1
    guard gathering.holders == 0 else { return }
    end(gathering)
    if gathering.promise.claim() { publish(gathering.promise, .cancelled, in: nil) }
  }

  /// Runs a step after its input has resolved.
  func report(_ step: ModelPromise, _ result: ProgramResult) {
    guard let gathering = step.reportsTo else { return }
    events.mayBeInterrupted()
    let whole = gathering.promise
    let decision = gathering.decision(of: result)
    if decision == nil { gathering.unfinished -= 1 }
    if let outcome = decision ?? (gathering.unfinished == 0 ? gathering.conclusion : nil) {
      if whole.claim() { publish(whole, outcome, in: nil) }
      end(gathering)
    }
    if decision != nil {
      let toAsk = gathering.toAsk
      gathering.toAsk = []
      for input in toAsk {
        events.mayBeInterrupted()
        requestCancel(input)
      }
    }
    dropCallback(of: step)
  }

  func requestCancel(of gathering: ModelGathering) {
    gathering.isAsked = true
    for step in gathering.steps { requestCancel(step) }
  }

  /// Ends the combinator's interest in its inputs.
  private func end(_ gathering: ModelGathering) {
    let steps = gathering.steps
    gathering.steps = []
    gathering.isEnded = true
    if gathering.isAsked { for step in steps { requestCancel(step) } }
    for step in steps {
      events.mayBeInterrupted()
      dropWaiting(step)
    }
  }

  private func dropWaiting(_ step: ModelPromise) {
    guard step.isStepToRun, step.claim() else { return }
    dropCallback(of: step)
    publish(step, .cancelled, in: nil)
  }
}
