import COvermorrow
import Dispatch
@testable import Overmorrow
@testable import OvermorrowEngine

/// Makes objects for the C interface and counts their releases, and is a log for callbacks.
final class Ledger: Sendable {
  private struct State {
    var lines: [String] = []
    var live = 0
  }

  private let state = Guarded(State())
  private let released = DispatchSemaphore(value: 0)

  var lines: [String] { state.withLock { $0.lines } }
  /// The number of objects and contexts that have been made and not released.
  var live: Int { state.withLock { $0.live } }

  func add(_ line: String) { state.withLock { $0.lines.append(line) } }

  /// Waits until everything has been released, for at most 30 seconds.
  func becomesEmpty() -> Bool {
    let end = DispatchTime.now() + 30
    while live > 0 {
      if released.wait(timeout: end) == .timedOut { return live == 0 }
    }
    return true
  }

  fileprivate func didMake() { state.withLock { $0.live += 1 } }
  fileprivate func didRelease() {
    state.withLock { $0.live -= 1 }
    released.signal()
  }

  /// Makes an object with a name.
  func object(_ name: String) -> ovm_object { unsafe ovm_object(pointer: context(name), release: releaseEntry) }

  /// Makes a context with a name for a callback. `releaseEntry` releases it.
  func context(_ name: String) -> UnsafeMutableRawPointer {
    didMake()
    return unsafe Unmanaged.passRetained(Entry(name, in: self)).toOpaque()
  }
}

/// The Swift object behind an object or a context of a ledger.
final class Entry: Sendable {
  let name: String
  let ledger: Ledger

  init(_ name: String, in ledger: Ledger) {
    self.name = name
    self.ledger = ledger
  }

  static func at(_ pointer: UnsafeMutableRawPointer?) -> Entry? {
    unsafe pointer.map { unsafe Unmanaged<Entry>.fromOpaque($0).takeUnretainedValue() }
  }
}

let releaseEntry: ovm_release = { pointer in
  guard let pointer = unsafe pointer else { return }
  let entry = unsafe Unmanaged<Entry>.fromOpaque(pointer).takeRetainedValue()
  entry.ledger.didRelease()
}

/// Writes the outcome and the object to the ledger of the context.
let logResult: ovm_observer = { context, outcome, object in
  let entry = unsafe Entry.at(context)
  let name = unsafe Entry.at(object)?.name ?? "-"
  entry?.ledger.add("\(entry?.name ?? "?") \(outcome.rawValue) \(name)")
}
