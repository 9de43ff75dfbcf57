public import Observation
internal import Overmorrow
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
/// call, and ``isLoading`` stays `false`.
///
/// The handle has one vote on the cancellation of its load. **When the last reference to the handle is released, the
/// load is asked to cancel**, unless others also wait for it. The closure of a handle is retained as long as the
/// handle. If the closure captures the object that stores the handle, neither is ever released, so capture what the
/// closure needs instead.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor @Observable
public final class PromiseLoad<Input, Value: Sendable> {
  /// The value of the newest load that has ended with a value. The value stays while a new load is running, and after a
  /// new load has failed.
  ///
  /// Set it to show a change before the change is loaded, for example to remove a deleted row.
  public var value: Value?

  /// The error of the newest load, or `nil` while a load is running. If the next load is cancelled, the error appears
  /// again.
  public private(set) var error: (any Error)?

  /// Whether a load is running.
  public private(set) var isLoading = false

  /// The progress of the running load. `nil` if no load is running, or if the load has no progress.
  public private(set) var progress: PromiseProgress.Step?

  @ObservationIgnored private let start: Start
  @ObservationIgnored private var newestInput: Input?
  @ObservationIgnored private var run: LoadRun?

  typealias Start = @MainActor (_ input: Input, _ isReload: Bool) throws -> StartedLoad<Value>

  init(start: @escaping Start) { self.start = start }

  deinit { run?.end() }

  /// What a view shows. Reading it reads ``value``, ``error`` and ``isLoading``.
  public var phase: PromisePhase<Value> {
    if isLoading { return .loading(previous: value) }
    if let error { return .failed(error, previous: value) }
    return value.map { .value($0) } ?? .idle
  }

  /// Starts a load. Replaces the running load.
  ///
  /// - Parameter input: The input of the closure of this handle.
  public func load(_ input: Input) { begin(input, isReload: false) }

  /// Starts a load, and waits until it has ended or is replaced. If the calling task is cancelled, the load is asked to
  /// cancel, and the call returns.
  ///
  /// With this method, the load lasts as long as the calling task, such as the task of SwiftUI's `task(id:)`, which
  /// ends when its view disappears.
  ///
  /// - Parameter input: The input of the closure of this handle.
  public func run(_ input: Input) async {
    if Task.isCancelled { return }
    let run = begin(input, isReload: false)
    await run.waitUntilEnded()
    if Task.isCancelled, self.run === run { cancel() }
  }

  /// Starts a load with the newest input again. Does nothing if there is no input yet, unless the input is `Void`.
  public func reload() { repeatNewest() }

  /// Starts a load with the newest input again, and waits until the load has ended or is replaced. If the calling task
  /// is cancelled, the call returns and the load continues.
  ///
  /// This method suits SwiftUI's `refreshable`, whose task may be cancelled when the view is updated.
  public func refresh() async { await repeatNewest()?.waitUntilEnded() }

  /// Asks the running load to cancel. The phase before the load appears at once.
  public func cancel() {
    if let run { end(run, with: .cancelled) }
  }

  /// Asks the running load to cancel, and forgets the value, the error and the input.
  public func reset() {
    cancel()
    newestInput = nil
    if value != nil { value = nil }
    if error != nil { error = nil }
  }

  @discardableResult
  private func repeatNewest() -> LoadRun? { (newestInput ?? () as? Input).map { begin($0, isReload: true) } }

  @discardableResult
  private func begin(_ input: Input, isReload: Bool) -> LoadRun {
    // The older run ends when the new one has begun, so that a shared load which both want is not cancelled in between.
    let (run, older) = (LoadRun(errorBefore: self.run?.errorBefore ?? error), self.run)
    (self.run, newestInput) = (run, input)
    defer { older?.end() }
    do {
      follow(try start(input, isReload), in: run)
    } catch {
      end(run, with: .error(error))
    }
    return run
  }

  private func follow(_ load: StartedLoad<Value>, in run: LoadRun) {
    let isNewest = self.run === run
    if isNewest, let value = load.value { self.value = value }
    if let result = load.promise.result { return end(run, with: result) }
    let observed = load.promise.always { [weak self, weak run] result in
      if let self, let run { self.end(run, with: result) }
    }
    run.own(observed.owned())
    // If the closure has used this handle, the load that it began there is newer.
    guard isNewest else { return run.end() }
    if !isLoading { isLoading = true }
    if error != nil { error = nil }
    if progress != nil { progress = nil }
    load.progress?.onProgress { [weak self, weak run] step in
      if let self, let run, self.run === run, step != self.progress { self.progress = step }
    }
  }

  private func end(_ run: LoadRun, with result: PromiseResult<Value, any Error>) {
    defer { run.end() }
    guard self.run === run else { return }
    self.run = nil
    var error: (any Error)?
    switch result {
    case .value(let value): self.value = value
    case .error(let new) where !(new is CancellationError): error = new
    case .error, .cancelled: error = run.errorBefore
    }
    if error != nil || self.error != nil { self.error = error }
    if isLoading { isLoading = false }
    if progress != nil { progress = nil }
  }
}
