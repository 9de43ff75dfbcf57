import Foundation
import Overmorrow
import Testing

@Suite(.heavy) struct OverloadSimulationTests {
  private typealias Parts = OverloadSimulation.Parts

  /// The runs in the guide *Surviving overload*, with their names in the record.
  private static let runs: [(name: String, parts: Parts)] = [
    ("all parts", .all),
    ("all parts except the limiter", .all.subtracting(.limiter)),
    ("all parts except the breaker", .all.subtracting(.breaker)),
    ("all parts except the retry budget", .all.subtracting(.budget)),
    ("all parts except the time limit of an attempt", .all.subtracting(.attemptLimit)),
    ("all parts except the time limit of a request", .all.subtracting(.requestLimit)),
    ("retries with a time limit of an attempt", .attemptLimit),
    ("and the limiter", [.attemptLimit, .limiter]),
    ("and the breaker", [.attemptLimit, .breaker]),
    ("and the retry budget", [.attemptLimit, .budget]),
    ("and the time limit of a request", [.attemptLimit, .requestLimit]),
  ]

  @Test("21.6 21.14 at twice the load, the parts together keep the goodput")
  func overload() throws {
    let (with, without) = (OverloadSimulation(.all).runStorm(), OverloadSimulation(.attemptLimit).runStorm())
    // Before the trouble of the backend, and after it.
    for phase in [0, 3] {
      #expect(without.goodput(in: phase) < 0.2, "\(without)")
      #expect(with.goodput(in: phase) > 0.95, "\(with)")
    }
    #expect(with.goodput(in: 2) < 0.05, "the backend fails: \(with)")
    #expect(without.retries > 0.4, "\(without)")
    #expect(with.retries < 0.1, "\(with)")
    #expect(with.calls(in: 2) < without.calls(in: 2) / 10, "\(with), \(without)")
    #expect(with.slowest < .seconds(2), "\(with)")
    let recorded = try Record.read()
    #expect(recorded.contains(with.record("all parts")))
    #expect(recorded.contains(without.record("retries with a time limit of an attempt")))
  }

  @Test("21.6 21.14 without one part, the goodput is not better", .enabled(if: Record.isWritten || isOptimised))
  func runs() throws {
    let results = OverloadSimulationTests.runs.map { (name: $0.name, OverloadSimulation($0.parts).runStorm()) }
    for phase in [0, 1, 3] {
      let best = results.map { $0.1.goodput(in: phase) }.max() ?? 0
      #expect(results[0].1.goodput(in: phase) >= 0.95 * best)
    }
    let lines = results.map { $0.1.record($0.name) }
    if Record.isWritten { try Record.write(lines) }
    #expect(try Record.read() == lines, "run Scripts/overload --record if the simulation has changed")
  }

  @Test("21.6 21.14 during a day with a storm each hour, the goodput remains", .enabled(if: isOptimised))
  func day() {
    let simulation = OverloadSimulation(.all)
    var requests = 0
    for _ in 0..<24 {
      let storm = simulation.runStorm()
      #expect(storm.goodput(in: 0) > 0.95 && storm.goodput(in: 3) > 0.95, "\(storm)")
      #expect(storm.retries < 0.1, "\(storm)")
      let quiet = simulation.runQuietTime(.seconds(36 * 60))
      #expect(quiet.answers.filter { !$0.isValue }.isEmpty)
      requests += storm.answers.count + quiet.answers.count
    }
    #expect(requests > 300_000)
  }
}

private let isOptimised: Bool = {
  #if DEBUG
    false
  #else
    true
  #endif
}()

/// The figures of the guide and of its picture: one line for each run (`OverloadStatistics.record(_:)`).
private enum Record {
  /// Whether the tests write the figures. `Scripts/overload --record` sets this variable.
  static let isWritten = ProcessInfo.processInfo.environment["OVERMORROW_RECORD"] == "overload"

  private static let file = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .appending(path: "../../Documentation/Pictures/overload.txt").standardized

  static func read() throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  static func write(_ lines: [String]) throws {
    try (lines.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
  }
}
