internal import Overmorrow
internal import OvermorrowFlow

/// The state of a ``PromiseLoad``, and its changes. A property has changed if its number is another one.
struct LoadState<Input, Value: Sendable> {
  /// What returns if the running load is cancelled.
  private struct Before {
    var input: Input?
    var value: Numbered<Value>
    var error: Numbered<any Error>
  }

  struct Numbered<Content> {
    private(set) var content: Content?
    private(set) var number = 0

    mutating func set(_ content: Content?) {
      self.content = content
      number += 1
    }

    mutating func clear() {
      if content != nil { set(nil) }
    }
  }

  private(set) var input: Input?
  private(set) var value = Numbered<Value>()
  private(set) var error = Numbered<any Error>()
  private(set) var isLoading = false
  var progress: PromiseProgress.Step?
  private(set) var run: LoadRun?
  private var before: Before?

  /// Makes a run the newest one. The run before it has no further effect.
  mutating func begin(_ run: LoadRun, _ input: Input) {
    if self.run == nil { before = Before(input: self.input, value: value, error: error) }
    (self.run, self.input) = (run, input)
  }

  /// Shows an older value of a run that has begun, or forgets the value if it belongs to another input.
  mutating func show(_ older: Value?, of run: LoadRun, forgetting: Bool) {
    guard self.run === run else { return }
    if let older { value.set(older) } else if forgetting { value.clear() }
  }

  /// Shows that a run is loading.
  mutating func wait(for run: LoadRun, _ progress: PromiseProgress.Step?) {
    guard self.run === run else { return }
    isLoading = true
    error.clear()
    self.progress = progress
  }

  /// Ends a run. Does nothing if it is not the newest one.
  mutating func end(_ run: LoadRun?, with result: PromiseResult<Value, any Error>) {
    guard let run, self.run === run else { return }
    switch result {
    case .value(let value):
      self.value.set(value)
      error.clear()
    case .error(let error) where !(error is CancellationError): self.error.set(error)
    case .error, .cancelled:
      if let before { (input, value, error) = (before.input, before.value, before.error) }
    }
    (self.run, before, progress, isLoading) = (nil, nil, nil, false)
  }

  /// Sets the value from outside. The cancellation of the running load does not undo it.
  mutating func edit(_ value: Value?) {
    self.value.set(value)
    before?.value = self.value
  }

  /// Forgets everything.
  mutating func reset() {
    value.clear()
    error.clear()
    (input, run, before, progress, isLoading) = (nil, nil, nil, nil, false)
  }
}
