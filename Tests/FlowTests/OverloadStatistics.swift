import Overmorrow

/// The results of an `OverloadSimulation`.
struct OverloadStatistics {
  struct Answer {
    let begin: Duration
    let end: Duration
    let isValue: Bool
  }

  struct Call {
    let time: Duration
    let isRetry: Bool
  }

  let begin: Duration
  let answers: [Answer]
  let calls: [Call]

  /// Returns the answers in time within a time from the begin, as a share of the capacity of the backend.
  func goodput(from start: Duration, to end: Duration) -> Double {
    let range = (begin + start)..<(begin + end)
    let good = answers.filter {
      $0.isValue && $0.end - $0.begin <= OverloadSimulation.patience && range.contains($0.end)
    }.count
    return Double(good) / (OverloadSimulation.capacity * ((end - start) / .seconds(1)))
  }

  /// Returns the goodput in the second half of a phase.
  func goodput(in number: Int) -> Double {
    let end = OverloadSimulation.phase * (number + 1)
    return goodput(from: end - OverloadSimulation.phase / 2, to: end)
  }

  /// Returns the number of calls of the backend in a phase.
  func calls(in number: Int) -> Int {
    let start = begin + OverloadSimulation.phase * number
    return calls.filter { (start..<(start + OverloadSimulation.phase)).contains($0.time) }.count
  }

  /// The share of repetitions in the calls of the backend.
  var retries: Double { calls.isEmpty ? 0 : Double(calls.filter(\.isRetry).count) / Double(calls.count) }

  /// The time from a request to its end, with a value or an error: the 99th percentile.
  var slowest: Duration {
    let times = answers.map { $0.end - $0.begin }.sorted()
    return times.isEmpty ? .zero : times[times.count * 99 / 100]
  }
}

extension OverloadStatistics: CustomStringConvertible {
  var description: String {
    let shares = (0..<4).map { "\(goodput(in: $0))" }.joined(separator: ", ")
    let counts = "\(calls.count) calls for \(answers.count) requests, \(calls(in: 2)) while the backend fails"
    return "goodput \(shares); retries \(retries); p99 \(slowest); \(counts)"
  }
}

extension OverloadStatistics {
  /// Returns a line for the record of the simulation, with whole numbers: the goodput in the four phases, the share of
  /// repetitions, the 99th percentile in tenths of a second, the number of calls while the backend fails, and the
  /// goodput of each five seconds. Shares are in thousandths.
  func record(_ name: String) -> String {
    func thousandths(_ share: Double) -> String { "\(Int((share * 1000).rounded()))" }
    let step = Duration.seconds(5)
    let points = (0..<Int(OverloadSimulation.phase * 4 / step)).map { number in
      thousandths(goodput(from: step * number, to: step * (number + 1)))
    }
    let phases = (0..<4).map { thousandths(goodput(in: $0)) }.joined(separator: " ")
    let time = Int((slowest / .milliseconds(100)).rounded())
    return "\(name): \(phases); \(thousandths(retries)); \(time); \(calls(in: 2)); \(points.joined(separator: " "))"
  }
}
