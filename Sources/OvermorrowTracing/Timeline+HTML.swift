internal import Overmorrow

/// An HTML page with a line for each of the first `maxLines` promises.
extension Timeline {
  private static var maxLines: Int { 5000 }

  var html: String {
    let shown = spans.prefix(Self.maxLines)
    let hidden = spans.count - shown.count
    let notes = [
      hidden > 0 ? "<p>\(hidden) more promises are not shown.</p>" : "",
      omitted > 0 ? "<p>\(omitted) events were dropped because the recording was full.</p>" : "",
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
      \(Self.style)
      </style>
      <h1>\(spans.count) promises in \(end.asTime)</h1>
      <p class="legend">
      <span><i class="waits"></i> waits</span>
      <span><i class="runs"></i> its callback runs</span>
      <span><i class="follows"></i> follows the promise that it was resolved with</span>
      <span><i class="open"></i> has no result</span>
      </p>
      \(notes.joined())
      <p><input type="search" placeholder="Show lines with …" aria-label="Show lines with">
      <output aria-live="polite"></output></p>
      <div class="axis line" aria-hidden="true"><span class="bars">\(ticks.joined())</span></div>
      <ol style="--step: \(percent(step))%">
      \(shown.map(line).joined(separator: "\n"))
      </ol>
      <script>
      \(Self.script)
      </script>
      </html>

      """
  }

  private func line(of span: Span) -> String {
    let isOpen = span.resolved == nil
    let begin = span.callback?.begin ?? span.adopted?.time ?? span.end
    var bars = [bar(isOpen ? "open" : "waits", span.made, begin)]
    if let adopted = span.adopted { bars.append(bar(isOpen ? "open" : "follows", adopted.time, span.end)) }
    if let callback = span.callback { bars.append(bar("runs", callback.begin, callback.end ?? end)) }
    let title = span.title.escaped(for: .html)
    let times = "made at \(span.made.asTime), \(isOpen ? "without a result" : "resolved") at \(span.end.asTime)"
    return """
      <li class="line" title="\(title), \(times)"><span class="name">\(title)</span>\
      <span class="bars">\(bars.joined())</span><span class="time">\((span.end - span.made).asTime)</span></li>
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

  private static var style: String {
    """
    :root {
      color-scheme: light dark;
      --page: #fff; --ink: #1f2328; --faint: #59636e; --grid: #e4e8ed; --hover: #f3f5f8;
      --waits: #c4ccd6; --runs: #1a9c4b; --follows: #6f9df2; --open: #e8915f;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #0d1117; --ink: #e6edf3; --faint: #9198a1; --grid: #23292f; --hover: #171c23;
        --waits: #4a525c; --runs: #3fb950; --follows: #3f74d6; --open: #c4683a;
      }
    }
    body { margin: 1rem; background: var(--page); color: var(--ink); font: 14px/1.5 system-ui, sans-serif; }
    h1 { margin: 0; font-size: 1.25rem; }
    p { margin: .5rem 0; color: var(--faint); }
    .legend { display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
    .legend i { display: inline-block; width: .8em; height: .8em; border-radius: 2px; }
    input {
      width: 16rem; padding: .3rem .6rem; border: 1px solid var(--waits); border-radius: 6px;
      background: none; color: var(--ink); font: inherit;
    }
    ol { margin: 0; padding: 0; list-style: none; font-size: 12px; }
    .line { display: grid; grid-template-columns: minmax(8rem, 23rem) 1fr 4.5rem; gap: 0 .75rem; line-height: 20px; }
    .line[hidden] { display: none; }
    li:hover { background: var(--hover); }
    .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .time { color: var(--faint); text-align: right; font-variant-numeric: tabular-nums; }
    .bars { position: relative; height: 20px; }
    ol .bars { background: linear-gradient(90deg, var(--grid) 1px, transparent 1px) 0 0 / var(--step) 100%; }
    .bars i { position: absolute; top: 4px; height: 12px; min-width: 2px; border-radius: 2px; }
    .axis { position: sticky; top: 0; z-index: 1; background: var(--page); color: var(--faint); font-size: 12px; }
    .axis .bars { grid-column: 2; }
    .axis span span { position: absolute; white-space: nowrap; }
    .waits { background: var(--waits); }
    .runs { background: var(--runs); }
    .follows { background: var(--follows); }
    .open { background: var(--open); }
    @media (max-width: 700px) {
      .line { grid-template-columns: 1fr auto; }
      .bars, .axis .bars { grid-column: 1 / -1; grid-row: 2; height: 14px; }
      .axis .bars { height: 20px; }
      .bars i { top: 0; height: 10px; }
    }
    """
  }

  private static var script: String {
    """
    const lines = [...document.querySelectorAll("li")];
    document.querySelector("input").addEventListener("input", event => {
      const words = event.target.value.split(" ");
      for (const line of lines) line.hidden = !words.every(word => line.textContent.includes(word));
      const shown = lines.filter(line => !line.hidden).length;
      document.querySelector("output").textContent = `${shown} of ${lines.length} lines`;
    });
    """
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
