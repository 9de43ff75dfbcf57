internal import Overmorrow
internal import OvermorrowDiagnostics

/// An HTML page with a line for each of the first `maxLines` promises. The lines of a chain, and of the promises that
/// the chain waits for, fold into one line.
extension Timeline {
  private static var maxLines: Int { 5000 }
  private static var maxDepth: Int { 8 }

  var html: String {
    let rows = TimelineFolds(self).rows(limit: Self.maxLines, depth: Self.maxDepth)
    let hidden = spans.count - rows.count
    let mistakes = rows.count { spans[$0.index].mistake != nil }
    let notes = [
      mistakes == 0 ? nil : "A mistake was found in \(mistakes) of the promises. Search for “mistake”.",
      hidden == 0 ? nil : "\(hidden) more promises are not shown.",
      omitted == 0 ? nil : "\(omitted) events were dropped because the recording was full.",
    ]
    let step = step
    // No tick is close to the right edge, because the label of such a tick would not fit.
    let ticks = stride(from: 0, to: end * 19 / 20, by: step).map {
      #"<span style="left:\#(percent($0))%">\#($0.asTime)</span>"#
    }
    return """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Promises</title>
      <style>
      \(TimelinePage.style)
      </style>
      <h1>\(spans.count) promises in \(end.asTime)</h1>
      <p class="legend">
      <span><i class="waits"></i> waits</span>
      <span><i class="runs"></i> a callback runs</span>
      <span><i class="follows"></i> follows the promise that it was resolved with</span>
      <span><i class="ended"></i> was cancelled or released</span>
      <span><i class="pending"></i> is pending at the end</span>
      <span><i class="mistake"></i> has a mistake</span>
      </p>
      \(notes.compactMap { $0.map { "<p>\($0)</p>" } }.joined())
      <p class="tools"><input type="search" placeholder="Find lines with …" aria-label="Find lines with">
      <button type="button" data-open="true">Open all</button> <button type="button" data-open="">Close all</button>
      <output aria-live="polite"></output></p>
      <div class="axis line" aria-hidden="true"><span class="bars">\(ticks.joined())</span></div>
      \(list(of: rows))
      <script>
      \(TimelinePage.script)
      </script>
      </html>

      """
  }

  // MARK: Lines

  /// The nested lists of all rows.
  private func list(of rows: [TimelineFolds.Row]) -> String {
    let top = "<ol style=\"--step: \(percent(step))%\">"
    let bottom = "</ol></details></li>"
    var parts = [top]
    var depth = 0
    for (position, row) in rows.enumerated() {
      parts += repeatElement(bottom, count: depth - row.depth)
      depth = row.depth
      if row.inside == 0 {
        parts.append("<li><div \(line(of: row)) \(bars(of: spans[row.index], "bars"))\(report(on: row))</div></li>")
      } else {
        let fold = rows[position...(position + row.inside)].map { spans[$0.index] }
        parts.append(
          """
          <li><details><summary \(line(of: row)) \(bars(of: spans[row.index], "bars own"))\
          \(bars(of: fold))\(report(on: row))</summary><ol>
          """)
        depth += 1
      }
    }
    parts += repeatElement(bottom, count: depth)
    parts.append("</ol>")
    return parts.joined(separator: "\n")
  }

  /// The attributes of a line and its first column.
  private func line(of row: TimelineFolds.Row) -> String {
    let span = spans[row.index]
    let title = span.title.shortened.escaped(for: .html)
    let count = row.inside == 0 ? "" : "<small>\(row.inside) inside</small>"
    return """
      class="line" style="--depth:\(row.depth)" title="\(title), \(times(of: span))">\
      <span class="name"><b>\(title)</b>\(count)</span>
      """
  }

  private func times(of span: Span) -> String {
    let end =
      switch span.state {
      case .pending: "pending at the end"
      case .released: "released without a result at \(span.end.asTime)"
      case .fulfilled, .rejected, .cancelled: "\(span.state.rawValue) at \(span.end.asTime)"
      }
    return "made at \(span.made.asTime), \(end)"
  }

  private func report(on row: TimelineFolds.Row) -> String {
    guard let mistake = spans[row.index].mistake else { return "" }
    return "<span class=\"report\">Mistake: \(mistake.shortened.escaped(for: .html))</span>"
  }

  // MARK: Bars

  /// The second and the third column of the line of one promise.
  private func bars(of span: Span, _ name: String) -> String {
    let begin = span.callback?.begin ?? span.adopted?.time ?? span.end
    var bars = [bar(span.kind ?? "waits", span.made, begin)]
    if let adopted = span.adopted { bars.append(bar(span.kind ?? "follows", adopted.time, span.end)) }
    if let callback = span.callback { bars.append(bar("runs", callback.begin, callback.end ?? end)) }
    return columns(bars, span.end - span.made, name)
  }

  /// The second and the third column of the line of a closed fold: from the creation of the first promise to the last
  /// result, with the times at which callbacks ran.
  private func bars(of fold: [Span]) -> String {
    let begin = fold.map(\.made).min() ?? 0
    let last = fold.map(\.end).max() ?? 0
    let kinds = Set(fold.compactMap(\.kind))
    var bars = [
      bar(kinds.contains("mistake") ? "mistake" : kinds.contains("pending") ? "pending" : "waits", begin, last)
    ]
    // Callbacks that are closer than a pixel are drawn as one.
    let gap = end / 1000
    var run: (begin: Int, end: Int)?
    for callback in fold.compactMap(\.callback).sorted(by: { $0.begin < $1.begin }) {
      let ended = callback.end ?? end
      if let known = run, callback.begin <= known.end + gap {
        run = (known.begin, max(known.end, ended))
      } else {
        if let run { bars.append(bar("runs", run.begin, run.end)) }
        run = (callback.begin, ended)
      }
    }
    if let run { bars.append(bar("runs", run.begin, run.end)) }
    return columns(bars, last - begin, "bars all")
  }

  private func columns(_ bars: [String], _ duration: Int, _ name: String) -> String {
    """
    <span class="\(name)">\(bars.joined())</span><span class="time\(name.dropFirst(4))">\(duration.asTime)</span>
    """
  }

  private func bar(_ kind: String, _ begin: Int, _ end: Int) -> String {
    #"<i class="\#(kind)" style="left:\#(percent(begin))%;width:\#(percent(end - begin))%"></i>"#
  }

  private func percent(_ time: Int) -> Double { (Double(time) / Double(max(end, 1)) * 10_000).rounded() / 100 }

  /// The time between two ticks of the axis, in microseconds: the smallest number that is 1, 2 or 5 times a power of
  /// ten and gives at most five ticks.
  private var step: Int {
    var power = 1
    while true {
      for step in [power, 2 * power, 5 * power] where step * 5 >= end { return step }
      power *= 10
    }
  }
}

extension Timeline.Span {
  /// The class of a bar that says how the promise ended; `nil` if the promise has a value or an error and no mistake.
  fileprivate var kind: String? {
    if mistake != nil { return "mistake" }
    return switch state {
    case .fulfilled, .rejected: nil
    case .cancelled, .released: "ended"
    case .pending: "pending"
    }
  }
}

extension String {
  /// The largest number of characters of one text in a page.
  private static var maxLength: Int { 200 }

  /// The beginning of this text, which keeps a page small whatever the program's texts are.
  fileprivate var shortened: String {
    let scalars = unicodeScalars.prefix(Self.maxLength)
    return scalars.endIndex == unicodeScalars.endIndex ? self : "\(String(scalars))…"
  }
}

extension Int {
  /// This number of microseconds as text with a unit, rounded to a tenth of the unit.
  var asTime: String {
    func inUnits(of unit: Int) -> String {
      let tenths = (self * 10 + unit / 2) / unit
      return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
    return switch self {
    case ..<1000: "\(self) µs"
    case ..<1_000_000: "\(inUnits(of: 1000)) ms"
    default: "\(inUnits(of: 1_000_000)) s"
    }
  }
}
