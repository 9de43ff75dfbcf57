/// The constant parts of a timeline's page.
enum TimelinePage {
  static var style: String {
    """
    :root {
      color-scheme: light dark;
      --page: #fff; --ink: #1f2328; --faint: #59636e; --grid: #e4e8ed; --hover: #f3f5f8;
      --waits: #c4ccd6; --runs: #1a9c4b; --follows: #6f9df2; --mistake: #d1242f;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #0d1117; --ink: #e6edf3; --faint: #9198a1; --grid: #23292f; --hover: #171c23;
        --waits: #4a525c; --runs: #3fb950; --follows: #3f74d6; --mistake: #f85149;
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
    button {
      padding: .3rem .6rem; border: 1px solid var(--waits); border-radius: 6px; background: var(--hover);
      color: var(--ink); font: inherit;
    }
    ol { margin: 0; padding: 0; list-style: none; font-size: 12px; }
    .line { display: grid; grid-template-columns: minmax(8rem, 23rem) 1fr 4.5rem; gap: 0 .75rem; line-height: 20px; }
    summary { cursor: pointer; }
    li > .line:hover, summary:hover { background: var(--hover); }
    .name {
      display: flex; gap: .5em; min-width: 0; padding-left: calc(var(--depth) * .9rem + 1.1em); white-space: nowrap;
    }
    .name b { overflow: hidden; text-overflow: ellipsis; font-weight: inherit; }
    .name small { flex: none; color: var(--faint); font-size: 11px; }
    summary .name::before { content: "▸"; flex: none; width: 1.1em; margin: 0 -.5em 0 -1.1em; color: var(--faint); }
    [open] > summary .name::before { content: "▾"; }
    details:not([open]) > summary .own, [open] > summary .all { display: none; }
    .report { grid-column: 1 / -1; padding-left: calc(var(--depth) * .9rem + 1.1em); color: var(--mistake); }
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
    .ended { background: none; border: 1px dashed var(--waits); box-sizing: border-box; }
    .pending { background: repeating-linear-gradient(135deg, var(--waits) 0 3px, transparent 3px 6px); }
    .mistake { background: var(--mistake); }
    @media (max-width: 700px) {
      .line { grid-template-columns: 1fr auto; }
      .bars, .axis .bars { grid-column: 1 / -1; grid-row: 2; height: 14px; }
      .report { grid-row: 3; }
      .axis .bars { height: 20px; }
      .bars i { top: 0; height: 10px; }
    }
    """
  }

  /// The search, and the buttons that open and close all folds. Without the script, a fold still opens by a click or by
  /// the Return key, because it is a `details` element.
  static var script: String {
    """
    const rows = [];
    for (const item of document.querySelectorAll("li")) {
      const fold = item.firstElementChild.matches("details") ? item.firstElementChild : null;
      const line = fold ? fold.firstElementChild : item.firstElementChild;
      const text = `${line.querySelector("b").textContent} ${line.querySelector(".report")?.textContent ?? ""}`;
      const row = { item, fold, text: text.toLowerCase(), outer: item.parentElement.closest("li")?.row };
      item.row = row;
      rows.push(row);
    }
    let wasOpen = null;

    // Shows the lines that contain all words, the folds around them, and what is inside such lines. Opens the folds
    // that contain such a line. An empty search restores the folds.
    const search = words => {
      if (words.length > 0) wasOpen ??= rows.map(row => row.fold?.open);
      for (const row of rows) {
        row.isFound = words.every(word => row.text.includes(word));
        row.isUnderFound = row.outer !== undefined && (row.outer.isFound || row.outer.isUnderFound);
        row.hasFound = false;
      }
      // A row is after the rows around it.
      for (const row of rows.toReversed()) {
        if ((row.isFound || row.hasFound) && row.outer) row.outer.hasFound = true;
        row.item.hidden = !(row.isFound || row.hasFound || row.isUnderFound);
      }
      rows.forEach((row, index) => {
        if (row.fold) row.fold.open = words.length > 0 ? row.hasFound : wasOpen?.[index] ?? row.fold.open;
      });
      if (words.length === 0) wasOpen = null;
      const found = rows.filter(row => row.isFound).length;
      document.querySelector("output").textContent = words.length > 0 ? `${found} of ${rows.length} lines` : "";
    };

    document.querySelector("input").addEventListener("input", event => {
      search(event.target.value.toLowerCase().split(" ").filter(word => word !== ""));
    });
    for (const button of document.querySelectorAll("button")) {
      button.addEventListener("click", () => {
        for (const row of rows) if (row.fold) row.fold.open = button.dataset.open !== "";
      });
    }
    """
  }
}
