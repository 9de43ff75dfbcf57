internal import Overmorrow
internal import OvermorrowDiagnostics

/// The events of a recording, grouped by promise. All times are microseconds since the beginning of the recording.
struct Timeline {
  struct Span {
    let number: Int
    let source: Int?
    let origin: String?
    var name: String?
    let context: String?
    let made: Int
    /// The times at which the callback began and ended, and the number of the callback's thread.
    var callback: (begin: Int, end: Int?, thread: Int)?
    /// The number of the promise with which this promise was resolved, and the time of that event.
    var adopted: (number: Int, time: Int)?
    var state = State.pending
    /// The mistake that was found in the use of the promise.
    var mistake: String?
    /// The time at which the promise was resolved or was freed without a result. If neither has happened, the time of
    /// the last event.
    var end: Int

    /// The number of the promise, its name, the place where the promise was made, and the context of its callback.
    var title: String {
      let known = [name.map { "\"\($0)\"" }, origin].compactMap { $0 }
      let place = known.isEmpty ? "a promise" : known.joined(separator: " ")
      return "#\(number) \(source == nil ? place : "step of \(place)")\(context.map { " on \($0)" } ?? "")"
    }
  }

  /// The state of a promise at the end of the recording.
  enum State: String {
    case fulfilled, rejected, cancelled
    /// The promise has no result.
    case pending
    /// The promise was freed without a result, because no code could observe the promise any more.
    case released
  }

  /// The promises in the order of their creation. Internal steps of the library, such as those through which
  /// combinators wait for their inputs, are left out.
  private(set) var spans: [Span] = []
  /// The numbers of promises that waited for promises of other chains, in the order in which the waits began.
  private(set) var waits: [(waiting: Int, awaited: Int)] = []
  private(set) var end = 0
  let omitted: Int

  init(_ events: [PromiseEvent], from start: ContinuousClock.Instant, omitted: Int) {
    self.omitted = omitted
    var (indices, threads) = ([Int: Int](), [UInt: Int]())
    var inner = Set<Int>()
    // A thread reads the time before it takes the lock of the log, so events may be out of order.
    for event in events.sorted(by: { $0.time < $1.time }) {
      let time = max(0, Int((event.time - start) / .microseconds(1)))
      let thread = threads[event.thread, default: threads.count + 1]
      threads[event.thread] = thread
      end = max(end, time)
      switch event.kind {
      case .made(let source, let origin, let name, let context):
        indices[event.number] = spans.count
        spans.append(
          Span(
            number: event.number, source: source, origin: origin, name: name, context: context, made: time,
            end: .max))
      case .adopts(let number): waits.append((event.number, number))
      case .gathers(let number):
        // The step of a combinator is left out, so the promise waits for the source of the step.
        waits.append((event.number, indices[number].flatMap { spans[$0].source } ?? number))
      case .isInternal: inner.insert(event.number)
      default: break
      }
      // A promise that was made before the recording began has no span.
      if let index = indices[event.number] { spans[index].note(event.kind, at: time, thread) }
    }
    spans.removeAll { inner.contains($0.number) }
    for index in spans.indices { spans[index].end = min(spans[index].end, end) }
  }
}

extension Timeline.Span {
  fileprivate mutating func note(_ kind: PromiseEvent.Kind, at time: Int, _ thread: Int) {
    switch kind {
    case .made, .gathers, .isInternal: break
    case .named(let text): name = text
    case .callbackBegins: callback = (time, nil, thread)
    case .callbackEnds: callback?.end = time
    case .adopts(let number): adopted = (number, time)
    case .mistake(let text): mistake = mistake ?? text
    case .resolved(let ending):
      // A later result is refused.
      if state == .pending { state = Timeline.State(ending) }
      end = min(end, time)
    case .freed:
      if state == .pending { state = .released }
      end = min(end, time)
    }
  }
}

extension Timeline.State {
  fileprivate init(_ ending: PromiseEvent.Ending) {
    self =
      switch ending {
      case .fulfilled: .fulfilled
      case .rejected: .rejected
      case .cancelled: .cancelled
      }
  }
}
