internal import Overmorrow

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
    var resolved: Int?
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

  private(set) var spans: [Span] = []
  private(set) var end = 0
  let omitted: Int

  init(_ events: [PromiseEvent], from start: ContinuousClock.Instant, omitted: Int) {
    self.omitted = omitted
    var (indices, threads) = ([Int: Int](), [UInt: Int]())
    // A thread reads the time before it takes the lock of the log, so events may be out of order.
    for event in events.sorted(by: { $0.time < $1.time }) {
      let time = max(0, Int((event.time - start) / .microseconds(1)))
      let thread = threads[event.thread, default: threads.count + 1]
      threads[event.thread] = thread
      end = max(end, time)
      if case .made(let source, let origin, let name, let context) = event.kind {
        indices[event.number] = spans.count
        spans.append(
          Span(
            number: event.number, source: source, origin: origin, name: name, context: context, made: time,
            end: .max))
      }
      // A promise that was made before the recording began has no span.
      if let index = indices[event.number] { spans[index].note(event.kind, at: time, thread) }
    }
    for index in spans.indices { spans[index].end = min(spans[index].end, end) }
  }
}

extension Timeline.Span {
  fileprivate mutating func note(_ kind: PromiseEvent.Kind, at time: Int, _ thread: Int) {
    switch kind {
    case .made: break
    case .named(let text): name = text
    case .callbackBegins: callback = (time, nil, thread)
    case .callbackEnds: callback?.end = time
    case .adopts(let number): adopted = (number, time)
    case .resolved:
      resolved = resolved ?? time
      end = min(end, time)
    case .freed: end = min(end, time)
    }
  }
}
