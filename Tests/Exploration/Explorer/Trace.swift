@testable import Overmorrow
@testable import OvermorrowEngine

/// The steps of one execution, printed with a finding.
final class Trace {
  private enum Line {
    case step(Int, Access, Location, Access.Effect, Access.Order, stale: Int)
    case remark(Int, String)
  }

  private var lines: ContiguousArray<Line> = []

  func begin() { lines.removeAll(keepingCapacity: true) }

  func note(
    _ thread: Int, _ access: Access, _ location: Location, _ effect: Access.Effect, _ order: Access.Order, stale: Int
  ) {
    lines.append(.step(thread, access, location, effect, order, stale: stale))
  }

  func remark(_ thread: Int, _ text: String) { lines.append(.remark(thread, text)) }

  // MARK: Words

  func name(_ core: Int?, _ part: String) -> String { core.map { "c\($0).\(part)" } ?? part }

  func name(_ location: Location) -> String {
    let cell = location.cell
    if let name = cell.name { return self.name(cell.core, "\(name)") }
    let file = "\(cell.site.file)".split(separator: "/").last?.dropLast(6) ?? ""
    return "\(file):\(cell.site.line)#\(location.number)"
  }

  private func value(_ bits: UInt64, _ location: Location) -> String {
    switch location.cell.name.map({ "\($0)" }) {
    case "state": return "\(StateWord(bits: UInt(bits)))"
    case "link":
      let word = LinkWord(bits: UInt(bits))
      return "\(word.kind)\(word.address == 0 ? "" : " …\(String(word.address & 0xFFFF, radix: 16))")"
        + (word.hasSideTable && word.isAsked ? " asked" : "")
    case "votes":
      let word = VoteWord(bits: UInt32(bits))
      return "\(word.count)" + (word.isSealed ? " sealed" : "") + (word.hasAsked ? " asked" : "")
        + (word.goesUpWhileHeld ? " whileHeld" : "") + (word.isExposed ? " exposed" : "")
    default: return bits < 1 << 20 ? "\(bits)" : "…\(String(bits & 0xFFFF, radix: 16))"
    }
  }

  func text() -> String {
    var text = ""
    for (number, line) in lines.enumerated() {
      switch line {
      case .remark(let thread, let remark): text += "      \(thread == 0 ? "main" : "T\(thread)  ")  \(remark)\n"
      case .step(let thread, let access, let location, let effect, let order, let stale):
        var what = "\(access.kind).\(order) "
        switch access.kind {
        case .load: what += value(effect.old, location)
        case .compareExchange where !effect.isDone, .weakCompareExchange where !effect.isDone:
          what += "fails: \(value(effect.old, location))"
        default: what += "\(value(effect.old, location)) → \(value(effect.new, location))"
        }
        if stale > 0 { what += "  (old, by \(stale))" }
        let site = "\(access.site.file)".split(separator: "/").last ?? ""
        text +=
          pad("\(number)", 5) + " \(thread == 0 ? "main" : "T\(thread)  ")  " + pad(name(location), 18) + what
          + "   \(site):\(access.site.line)\n"
      }
    }
    return text
  }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
