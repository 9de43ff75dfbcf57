/// A page with a line for each promise.
extension Timeline {
  private static var mostLines: Int { 5000 }
  private static var height: Int { 18 }
  private static var width: Int { 1000 }

  var html: String {
    let shown = spans.prefix(Self.mostLines)
    let lines = shown.enumerated().map { line(of: $1, at: $0 * Self.height) }
    let hidden = spans.count - shown.count
    let notes = [
      hidden > 0 ? "\(hidden) more promises are not shown." : "",
      omitted > 0 ? "\(omitted) events came after the recording was full." : "",
    ]
    return """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>Promises</title>
      <style>
      \(Self.style)
      </style>
      <h1>\(spans.count) promises in \(end / 1000).\(end / 100 % 10) ms</h1>
      <p>
      <i class="waits"></i> waits
      <i class="runs"></i> its callback runs
      <i class="follows"></i> follows the promise that it was resolved with
      <i class="open"></i> has no result
      </p>
      <p>\(notes.joined(separator: " "))</p>
      <input type="search" placeholder="Show lines with …" aria-label="Show lines with">
      <svg viewBox="0 0 \(Self.width) \(shown.count * Self.height)" role="img" aria-label="Timeline of promises">
      \(lines.joined(separator: "\n"))
      </svg>
      <script>
      \(Self.script)
      </script>
      </html>

      """
  }

  private func line(of span: Span, at top: Int) -> String {
    let isOpen = span.resolved == nil
    let begin = span.callback?.begin ?? span.adopted?.time ?? span.end
    var bars = [bar(isOpen ? "open" : "waits", span.made, begin, top)]
    if let callback = span.callback { bars.append(bar("runs", callback.begin, callback.end ?? end, top)) }
    if let adopted = span.adopted { bars.append(bar(isOpen ? "open" : "follows", adopted.time, span.end, top)) }
    let (left, title) = (x(span.made), span.title.inHTML)
    let anchor = left > Double(Self.width) * 0.6 ? #" text-anchor="end""# : ""
    let detail = "made at \(span.made) µs, \(isOpen ? "without a result" : "resolved") at \(span.end) µs"
    let text = #"<text x="\#(left)" y="\#(top + 12)"\#(anchor)>\#(title)</text>"#
    return "<g><title>\(title), \(detail)</title>\(bars.joined())\(text)</g>"
  }

  private func bar(_ kind: String, _ begin: Int, _ end: Int, _ top: Int) -> String {
    #"<rect class="\#(kind)" x="\#(x(begin))" y="\#(top)" width="\#(max(x(end) - x(begin), 1))" height="16"/>"#
  }

  /// In tenths of a unit.
  private func x(_ time: Int) -> Double {
    (Double(time) / Double(max(end, 1)) * Double(Self.width) * 10).rounded() / 10
  }

  private static var style: String {
    """
    :root { --page: #fff; --ink: #1d1d1f; --waits: #cfd8e6; --runs: #2f9d5f; --follows: #8fb4e8; --open: #e8b4a0; }
    @media (prefers-color-scheme: dark) {
      :root { --page: #1b1c1e; --ink: #e8e8ea; --waits: #3a4658; --runs: #2f7d4f; --follows: #37598a; --open: #8a4a37; }
    }
    body { margin: 1rem; background: var(--page); color: var(--ink); font: 14px system-ui, sans-serif; }
    h1 { font-size: 1.2rem; }
    i { display: inline-block; width: 1em; height: 1em; margin-left: 1em; vertical-align: -0.1em; }
    input { margin-bottom: 1rem; font: inherit; }
    svg { width: 100%; }
    text { font: 10px system-ui, sans-serif; fill: var(--ink); }
    .waits { fill: var(--waits); background: var(--waits); }
    .runs { fill: var(--runs); background: var(--runs); }
    .follows { fill: var(--follows); background: var(--follows); }
    .open { fill: var(--open); background: var(--open); }
    .hidden { display: none; }
    """
  }

  private static var script: String {
    """
    const lines = [...document.querySelectorAll("g")];
    const svg = document.querySelector("svg");
    document.querySelector("input").addEventListener("input", event => {
      let shown = 0;
      lines.forEach((line, index) => {
        const isShown = line.textContent.includes(event.target.value);
        line.classList.toggle("hidden", !isShown);
        if (isShown) line.setAttribute("transform", `translate(0 ${\(height) * (shown++ - index)})`);
      });
      svg.setAttribute("viewBox", `0 0 \(width) ${\(height) * shown}`);
    });
    """
  }
}

extension String {
  /// As text of a page.
  var inHTML: String { replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;") }
}
