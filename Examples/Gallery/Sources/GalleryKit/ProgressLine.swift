import Synchronization

/// Shows how the work goes on: one line that changes on a terminal, a line for each event elsewhere.
package final class ProgressLine: Sendable {
  package enum Style: Sendable {
    /// One line, drawn over and over with a carriage return.
    case live

    /// A line for each event, as fits a file or a pipe.
    case plain
  }

  fileprivate struct Tally {
    var total = 0
    var started = 0
    var retried = 0
    var failed = 0
    var finished = 0
  }

  private let style: Style
  private let write: @Sendable (String) -> Void
  private let tally = Mutex(Tally())

  /// A progress line that puts out its text with `write`.
  package init(style: Style, write: @escaping @Sendable (String) -> Void) {
    self.style = style
    self.write = write
  }

  /// Takes note of an event and shows it.
  ///
  /// Events should come one at a time, from one serial context, for the lines to stay in order.
  package func show(_ event: GalleryEvent) {
    let tally = tally.withLock { tally in
      tally.note(event)
      return tally
    }
    switch style {
    case .live: write("\r\u{1B}[2K" + tally.line)
    case .plain: tally.sentence(for: event).map { write($0 + "\n") }
    }
  }

  /// Takes the line that changes away, so that other text can follow.
  package func finish() {
    if style == .live { write("\r\u{1B}[2K") }
  }
}

extension ProgressLine.Tally {
  fileprivate mutating func note(_ event: GalleryEvent) {
    switch event {
    case .listed(let count):
      total = count
    case .started:
      started += 1
    case .retrying(_, let attempts, _):
      retried += attempts == 1 ? 1 : 0
    case .finished(let outcome):
      finished += 1
      failed += outcome.failure == nil ? 0 : 1
    }
  }

  /// All numbers on a line short enough for any terminal.
  fileprivate var line: String {
    let width = 24
    let filled = total == 0 ? 0 : width * finished / total
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    return "[\(bar)] \(finished)/\(total)  \(started - finished) in flight, \(retried) retried, \(failed) failed"
  }

  fileprivate func sentence(for event: GalleryEvent) -> String? {
    switch event {
    case .listed(let count):
      "\(count) pictures to load"
    case .started:
      nil
    case .retrying(let user, _, let error):
      "\(user.name): \(error), trying again"
    case .finished(let outcome):
      "\(finished)/\(total) \(outcome.user.name)\(outcome.failure == nil ? "" : ": failed")"
    }
  }
}
