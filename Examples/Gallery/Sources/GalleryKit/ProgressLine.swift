import Synchronization

/// Shows the progress of the work: on a terminal one line that changes, elsewhere one line for each event.
package final class ProgressLine: Sendable {
  package enum Style: Sendable {
    /// One line that is redrawn with a carriage return.
    case live

    /// One line for each event, for a file or a pipe.
    case plain
  }

  private let style: Style
  private let write: @Sendable (String) -> Void
  private let tally = Mutex(RunTally())

  /// Creates a progress line that writes its text with `write`.
  package init(style: Style, write: @escaping @Sendable (String) -> Void) {
    self.style = style
    self.write = write
  }

  /// Records an event and shows it.
  ///
  /// To keep the lines in order, call it from one serial context.
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

  /// Erases the line, so that other text can follow.
  package func finish() {
    if style == .live { write("\r\u{1B}[2K") }
  }
}

extension RunTally {
  /// All numbers on a line that fits any terminal.
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
