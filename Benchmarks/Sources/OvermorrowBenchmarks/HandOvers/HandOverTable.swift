import Dispatch

/// Compares ways to submit work, in one run of the program: it measures them in turn, in small rounds, and takes the
/// medians.
struct HandOverTable {
  let rounds: Int
  /// The number of hand-overs in a round: enough to keep both threads busy, and no more.
  private let count = 5_000
  /// The number of rounds for warming up.
  private let warmUp = 2

  func print() {
    Swift.print(
      "nanoseconds per hand-over while both threads are busy; medians of \(rounds) rounds of \(count)")
    Swift.print(row("", "", "beside", "", "ratio"))
    for handOver in HandOvers.all {
      guard let raw = HandOvers.raw.first(where: { $0.name == handOver.raw }) else { continue }
      Swift.print(compare(handOver, raw))
    }
  }

  private func compare(_ own: HandOver, _ raw: HandOver) -> String {
    var times: [(own: Double, raw: Double)] = []
    for round in 0..<rounds + warmUp {
      // Measured in turn, so that other load of the machine affects both alike.
      let isFirst = round.isMultiple(of: 2)
      let first = time(isFirst ? own : raw)
      let second = time(isFirst ? raw : own)
      if round >= warmUp { times.append(isFirst ? (first, second) : (second, first)) }
    }
    let ratio = (median(times.map { $0.own / $0.raw }) * 100).rounded() / 100
    return row(own.name, text(median(times.map(\.own))), raw.name, text(median(times.map(\.raw))), "\(ratio)")
  }

  private func time(_ handOver: HandOver) -> Double {
    let run = handOver.prepare(count)
    return ContinuousClock().measure { run() } / .nanoseconds(count)
  }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private func text(_ value: Double) -> String { "\(Int(value.rounded()))" }

  private func row(_ own: String, _ ownTime: String, _ raw: String, _ rawTime: String, _ ratio: String) -> String {
    own.padded(to: 34) + ownTime.padded(to: 8) + raw.padded(to: 30) + rawTime.padded(to: 8) + ratio
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
