public import Observation
internal import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine
public import OvermorrowFlow

/// Work whose value, error and progress a view shows, and which can be loaded again.
///
/// ```swift
/// @MainActor @Observable
/// final class SearchModel {
///   let results: PromiseLoad<String, [Article]>
///   var text = "" {
///     didSet { results.load(text) }
///   }
///
///   init(service: Service) {
///     results = PromiseLoad { text in try await service.articles(about: text) }
///   }
/// }
/// ```
///
/// A view reads ``phase``, or one of ``value``, ``error``, ``isLoading`` and ``progress``. It is updated only if a
/// property that it has read changes.
///
/// The newest call of ``load(_:)`` wins. A call during a load replaces that load: the older load is asked to cancel,
/// and its result never appears. If the work returns a promise that is already resolved, its result appears inside the
/// call, and ``isLoading`` does not become `true`.
///
/// A handle counts as a reader of each error of its work, so such an error is not reported as unobserved.
///
/// The handle has one vote on the cancellation of its load. **When the last reference to the handle is released, the
/// load is asked to cancel**, unless others also wait for it. A call that waits, such as `refresh()`, is a reference.
/// The closure of a handle is retained as long as the handle. If the closure captures the object that stores the
/// handle, neither is ever released, so capture what the closure needs instead.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
public final class PromiseLoad<Input, Value: Sendable> {
  typealias State = LoadState<Input, Value>
  typealias Start = @MainActor (_ input: Input, _ isReload: Bool) throws -> StartedLoad<Value>
  typealias Follow =
    @MainActor (_ input: Input, _ onChange: @escaping @MainActor @Sendable () -> Void) -> FollowedKey<Value>

  /// Whether the value stays while a load with another input is running, and after that load has failed. `false` by
  /// default, so that a view does not show the value of one input under another input.
  ///
  /// A search field sets it to `true`, so that the list does not become empty with each change of the text. Inputs that
  /// are not `Equatable` count as different, except `Void`.
  public var keepsPreviousValue = false

  private let start: Start
  private let follow: Follow?
  private let registrar = ObservationRegistrar()
  private var state = State()
  private var changeCount = 0

  init(start: @escaping Start, follow: Follow? = nil) {
    (self.start, self.follow) = (start, follow)
    PromiseScope.noteHandle(self)
  }

  /// The value of the newest load that has ended with a value. The value stays while a load with the same input is
  /// running, and after that load has failed. If the handle shows the entries of a cache, a newer value of the same key
  /// replaces the value.
  ///
  /// Set it to show a change before the change is loaded. A load that is running replaces it. To keep the change also
  /// then, use ``edit(_:)``.
  public var value: Value? {
    get {
      registrar.access(self, keyPath: \.value)
      return state.value.content
    }
    set { change { $0.edit(newValue) } }
  }

  /// The error of the newest load, or `nil` while a load is running. If the next load is cancelled, the error appears
  /// again.
  public var error: (any Error)? {
    registrar.access(self, keyPath: \.error)
    return state.error.content
  }

  /// Whether a load is running.
  public var isLoading: Bool {
    registrar.access(self, keyPath: \.isLoading)
    return state.isLoading
  }

  /// The progress of the running load. `nil` if no load is running, or if the load has no progress.
  public var progress: PromiseProgress.Step? {
    registrar.access(self, keyPath: \.progress)
    return state.progress
  }

  /// What a view shows. Reading it reads ``value``, ``error`` and ``isLoading``.
  public var phase: PromisePhase<Value> {
    if isLoading { return .loading(previous: value) }
    if let error { return .failed(error, previous: value) }
    return value.map { .value($0) } ?? .idle
  }

  /// Changes the value now, and also each value that the running load brings.
  ///
  /// Use it to show a change before the change is loaded, for example to remove a deleted row. A load that has begun
  /// before the change does not undo it:
  ///
  /// ```swift
  /// articles.edit { $0.removeAll { $0.id == 1 } }
  /// ```
  ///
  /// A load that begins after this call replaces the change. If no load is running, the call is the same as setting
  /// ``value``. If there is no value, only the values of the running load are changed.
  ///
  /// - Parameter change: The closure that changes a value. It may be called several times, also with a value that
  ///   already contains the change, and must not change this handle.
  public func edit(_ change: @escaping (_ value: inout Value) -> Void) { self.change { $0.edit(change) } }

  /// Starts a load. Replaces the running load.
  ///
  /// The call does not wait for the load: outside of the main actor, `await load.load(input)` waits only until the main
  /// actor has started it, and on the main actor the compiler warns of such an `await`. To wait, call `run`.
  ///
  /// - Parameter input: The input of the closure of this handle.
  public func load(_ input: Input) { begin(input, isReload: false).held() }

  /// Starts a load, and waits until it has ended or is replaced. If a load with an equal input is running, the call
  /// starts no load, and waits for that load.
  ///
  /// If the calling task is cancelled, the call returns. The load is then asked to cancel, unless another task waits
  /// for it in this method, or ``load(_:)``, ``reload()`` or `refresh()` has started it. So the load lasts as long as
  /// one of the calling tasks, such as the tasks of SwiftUI's `task(id:)` of several views, which end when their views
  /// disappear.
  ///
  /// Inputs that are not `Equatable` count as different, except `Void`.
  ///
  /// - Parameters:
  ///   - input: The input of the closure of this handle.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  public func run(_ input: Input, fileID: StaticString = #fileID, line: UInt = #line) async {
    if Task.isCancelled { return }
    let running = isEqual(state.input, input) ? state.run : nil
    let run = (running ?? begin(input, isReload: false)).held()
    await run.waitUntilEnded(at: CallSite(fileID, line))
    if Task.isCancelled, run.leave() { cancel(run) }
  }

  /// Starts a load with the newest input again. Does nothing if there is no input yet, unless the input is `Void`.
  public func reload() { repeatNewest() }

  /// Starts a load with the newest input again, and waits until the load has ended or is replaced. If the calling task
  /// is cancelled, the call returns and the load continues.
  ///
  /// This method suits SwiftUI's `refreshable`, whose task may be cancelled when the view is updated.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  public func refresh(fileID: StaticString = #fileID, line: UInt = #line) async {
    await repeatNewest()?.waitUntilEnded(at: CallSite(fileID, line))
  }

  /// Asks the running load to cancel. What was shown before the load appears at once, and ``reload()`` repeats the
  /// input from before the load.
  public func cancel() { cancel(state.run) }

  /// Asks the running load to cancel, and forgets the value, the error and the input.
  public func reset() {
    let run = change { $0.reset() }
    run?.end()
  }

  /// Shows the newest value of the followed key.
  private func followKey() {
    let run = change { $0.follow() }
    run?.end()
  }

  private func cancel(_ run: LoadRun?) {
    change { $0.end(run, with: .cancelled) }
    run?.end()
  }

  @discardableResult
  private func repeatNewest() -> LoadRun? { (state.input ?? () as? Input).map { begin($0, isReload: true).held() } }

  @discardableResult
  private func begin(_ input: Input, isReload: Bool) -> LoadRun {
    let run = LoadRun()
    let (older, isSame) = change { state in
      let isSame = isReload || isEqual(state.input, input)
      defer { state.begin(run, input, isSame ? state.key : follow?(input) { [weak self] in self?.followKey() }) }
      return (state.run, isSame)
    }
    // The older run ends when the new one has begun, so that a shared load which both want is not cancelled in between.
    defer { older?.end() }
    do {
      wait(for: try start(input, isReload), in: run, forgetting: !isSame && !keepsPreviousValue)
    } catch {
      end(run, with: .error(error), of: nil, forgetting: !isSame && !keepsPreviousValue)
    }
    return run
  }

  private func wait(for load: StartedLoad<Value>, in run: LoadRun, forgetting: Bool) {
    if let result = load.result { return end(run, with: result, of: load, forgetting: forgetting) }
    let observed = load.promise.always { @MainActor [weak self, weak run, weak entry = load.entry] result in
      self?.change { $0.end(run, with: result, of: entry) }
      run?.end()
    }
    run.own(observed.owned())
    change { state in
      state.show(load.old, of: run, forgetting: forgetting)
      state.wait(for: run, load.progress?.current)
    }
    // If the closure has used this handle, the load that it began there is newer.
    guard state.run === run else { return run.end() }
    load.progress?.onProgress { @MainActor [weak self, weak run] step in
      self?.change { state in
        if let run, state.run === run { state.progress = step }
      }
    }
  }

  private func end(
    _ run: LoadRun, with result: PromiseResult<Value, any Error>, of load: StartedLoad<Value>?, forgetting: Bool
  ) {
    change { state in
      state.show(load?.old, of: run, forgetting: forgetting)
      state.end(run, with: result, of: load?.entry)
    }
    run.end()
  }

  /// The properties, for descriptions. Reading them here is not an observation.
  var content: (isLoading: Bool, value: Value?, error: (any Error)?, progress: PromiseProgress.Step?) {
    (state.isLoading, state.value.content, state.error.content, state.progress)
  }

  private func isEqual(_ old: Input?, _ new: Input) -> Bool {
    func isSame<Same: Equatable>(_ old: Same) -> Bool { old == new as? Same }
    guard let old, let old = old as? any Equatable else { return Input.self == Void.self }
    return isSame(old)
  }

  /// Changes the state, and tells the observers of each property that changes.
  ///
  /// Observers are told before the change. If one of them has changed this handle, the change begins again with the new
  /// state. Each such round ends an observation, so the number of rounds is bounded by the number of observations.
  @discardableResult
  private func change<Result>(_ body: (inout State) -> Result) -> Result {
    while true {
      let (old, count) = (state, changeCount)
      var new = old
      let result = body(&new)
      let changed = (
        value: old.value.number != new.value.number, error: old.error.number != new.error.number,
        isLoading: old.isLoading != new.isLoading, progress: old.progress != new.progress
      )
      if changed.value { registrar.willSet(self, keyPath: \.value) }
      if changed.error { registrar.willSet(self, keyPath: \.error) }
      if changed.isLoading { registrar.willSet(self, keyPath: \.isLoading) }
      if changed.progress { registrar.willSet(self, keyPath: \.progress) }
      let isCurrent = changeCount == count
      if isCurrent { (state, changeCount) = (new, count + 1) }
      if changed.value { registrar.didSet(self, keyPath: \.value) }
      if changed.error { registrar.didSet(self, keyPath: \.error) }
      if changed.isLoading { registrar.didSet(self, keyPath: \.isLoading) }
      if changed.progress { registrar.didSet(self, keyPath: \.progress) }
      // `old` is released here, when no access to the state is in progress.
      if isCurrent { return withExtendedLifetime(old) { result } }
    }
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PromiseLoad: Observable {}
