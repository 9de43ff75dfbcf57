internal import OvermorrowDiagnostics

extension PendingPromises: CustomStringConvertible {
  /// The number of promises, and the tree with one promise on each line.
  public var description: String {
    if entries.isEmpty { return "No promise is pending." }
    let calls = entries.count { $0.function != nil }
    let counts = [(entries.count - calls + omitted, "promise"), (calls, "async call")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
    var lines = [counts.joined(separator: " and ") + (entries.count + omitted == 1 ? " is pending." : " are pending.")]
    var waiting: [Int: [Entry]] = [:]
    for entry in entries.reversed() { for id in entry.upstream { waiting[id, default: []].append(entry) } }
    var shown = Set<Int>()
    // The roots come first. The remaining promises are in a cycle or wait for a cycle.
    for root in entries.filter(\.upstream.isEmpty) + entries where !shown.contains(root.id) {
      var rest = [(entry: root, depth: 0, above: Entry?.none)]
      while let (entry, depth, above) = rest.popLast() {
        let margin = String(repeating: "  ", count: min(depth, Self.maxIndent))
        guard shown.insert(entry.id).inserted else {
          lines.append("\(margin)#\(entry.id), shown above")
          continue
        }
        // A promise that waits for several promises has its full line below only one of them, so this line also says
        // what the promise waits for.
        let cause = entry.upstream.count == 1 ? "" : ", waits for \(entry.cause)"
        lines.append("\(margin)#\(entry.id) \((entry.title(below: above) + cause).escaped(for: .line))")
        rest += (waiting[entry.id] ?? []).map { ($0, depth + 1, entry) }
      }
    }
    if omitted > 0 { lines.append("and \(omitted) more") }
    return lines.joined(separator: "\n")
  }

  /// The depth beyond which lines are not indented any further.
  private static var maxIndent: Int { 20 }

  /// The same tree as a flow chart for Mermaid. Each arrow leads from a promise, or from the cause of a root, to a
  /// promise that waits for it.
  public var mermaid: String {
    var lines = ["flowchart LR"]
    for entry in entries {
      lines.append("  p\(entry.id)[\"\("#\(entry.id) \(entry.title(below: nil))".escaped(for: .mermaid))\"]")
      if entry.isRoot { lines.append("  c\(entry.id)([\"\(entry.cause.escaped(for: .mermaid))\"]) --> p\(entry.id)") }
      lines += entry.upstream.map { "  p\($0) --> p\(entry.id)" }
    }
    if omitted > 0 { lines.append("  more([\"\(omitted) more\"])") }
    return lines.joined(separator: "\n")
  }
}

extension PendingPromises.Entry {
  fileprivate var isRoot: Bool { upstream.isEmpty }

  /// Returns the kind of the promise, its name, its context, its place, its origin and its age. Leaves the name or the
  /// origin out if the line above shows the same one.
  fileprivate func title(below above: Self?) -> String {
    if let function {
      return "a call of \(function)\(origin.map { " at \($0)" } ?? ""), pending for \(age.inTenths)"
    }
    let named = name == above?.name ? "" : name.map { " named \"\($0)\"" } ?? ""
    let place = origin == above?.origin ? "" : origin.map { " made at \($0)" } ?? " made at an unknown place"
    let kind = isStep ? "step" : "promise"
    let call = isStep ? self.place.map { " at \($0)" } ?? "" : ""
    let detail = detail.map { ", \($0)" } ?? ""
    return "a \(kind)\(named)\(context.map { " on \($0)" } ?? "")\(call)\(place)\(detail), pending for \(age.inTenths)"
  }
}

extension Duration {
  /// This duration in seconds, such as "12.4 s".
  var inTenths: String {
    let tenths = Int64(self / .milliseconds(100))
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
