internal import Overmorrow
internal import OvermorrowFlow

/// The state of a ``PromiseLoad``, and its changes. A property has changed if its number is another one.
struct LoadState<Input, Value: Sendable> {
  /// What returns if the running load is cancelled.
  private struct Before {
    var input: Input?
    var key: FollowedKey<Value>?
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

    mutating func restore(_ older: Self) {
      if number != older.number { set(older.content) }
    }
  }

  private(set) var input: Input?
  /// The key of the input in a cache.
  private(set) var key: FollowedKey<Value>?
  private(set) var value = Numbered<Value>()
  private(set) var error = Numbered<any Error>()
  private(set) var isLoading = false
  var progress: PromiseProgress.Step?
  private(set) var run: LoadRun?
  private var before: Before?
  /// The changes of the value since the running load has begun.
  private var edits: [(inout Value) -> Void] = []

  /// Makes a run the newest one. The run before it has no further effect.
  mutating func begin(_ run: LoadRun, _ input: Input, _ key: FollowedKey<Value>?) {
    if self.run == nil { before = Before(input: self.input, key: self.key, value: value, error: error) }
    (self.run, self.input, self.key, edits) = (run, input, key, [])
  }

  /// Shows the older value of a load of a cache, or forgets the value if it belongs to another input.
  mutating func show(_ old: FollowedKey<Value>.Kept?, of run: LoadRun, forgetting: Bool) {
    guard self.run === run else { return }
    if let old { update(old) } else if forgetting { value.clear() }
  }

  /// Shows that a run is loading.
  mutating func wait(for run: LoadRun, _ progress: PromiseProgress.Step?) {
    guard self.run === run else { return }
    isLoading = true
    error.clear()
    self.progress = progress
  }

  /// Ends a run. Does nothing if it is not the newest one.
  ///
  /// - Parameter entry: The entry of the result in a cache.
  mutating func end(_ run: LoadRun?, with result: PromiseResult<Value, any Error>, of entry: AnyObject? = nil) {
    guard let run, self.run === run else { return }
    switch result {
    case .value(let value):
      error.clear()
      if self.value.content == nil || entry == nil || entry !== key?.shown { set(value, of: entry) }
    case .error(let error) where !(error is CancellationError): self.error.set(error)
    case .error, .cancelled:
      guard let before else { break }
      (input, key) = (before.input, before.key)
      value.restore(before.value)
      error.restore(before.error)
      edits = []
      // The key of the input before was not followed meanwhile.
      catchUp()
    }
    finish()
  }

  /// Shows the newest value of the key. Ends the running load, because its value is this value or an older one.
  ///
  /// - Returns: The ended run.
  mutating func follow() -> LoadRun? { catchUp() ? finish() : nil }

  /// Shows the value that the cache serves for the key. Returns whether it was not shown before.
  @discardableResult
  private mutating func catchUp() -> Bool { key?.kept().map { update($0) } ?? false }

  /// Shows a value of the cache. Returns `false` if it was shown before, so that an edit of it stays.
  @discardableResult
  private mutating func update(_ kept: FollowedKey<Value>.Kept) -> Bool {
    if kept.entry === key?.shown { return false }
    error.clear()
    set(kept.value, of: kept.entry)
    return true
  }

  private mutating func set(_ value: Value, of entry: AnyObject?) {
    key?.shown = entry
    var value = value
    for edit in edits { edit(&value) }
    self.value.set(value)
  }

  @discardableResult
  private mutating func finish() -> LoadRun? {
    defer { (run, before, edits, progress, isLoading) = (nil, nil, [], nil, false) }
    return run
  }

  /// Changes the value from outside, and each value of the running load.
  mutating func edit(_ change: @escaping (inout Value) -> Void) {
    if var value = value.content {
      change(&value)
      edit(value)
    }
    if run != nil { edits.append(change) }
  }

  /// Sets the value from outside. The cancellation of the running load does not undo it.
  mutating func edit(_ value: Value?) {
    self.value.set(value)
    before?.value = self.value
  }

  /// Forgets everything. Returns the ended run.
  mutating func reset() -> LoadRun? {
    value.clear()
    error.clear()
    (input, key) = (nil, nil)
    return finish()
  }
}
