import ArgumentParser
import Foundation
import Overmorrow
import OvermorrowFlow

struct MeasureHitRatio: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hit-ratio",
    abstract: "Print the shares of the requests of a trace that caches of several capacities serve, in percent."
  )

  @Option(name: .customLong("capacity"), help: "The number of keys that a cache holds.")
  var capacities: [Int] = [200, 1000, 2000]

  @Argument(help: "Files of keys: integers of 32 bits, little-endian.")
  var traces: [String]

  func run() throws {
    for trace in traces {
      let data = try Data(contentsOf: URL(filePath: trace))
      let keys = stride(from: 0, to: data.count - 3, by: 4).map { place in
        (0..<4).reduce(UInt32(0)) { $0 | UInt32(data[data.startIndex + place + $1]) << (8 * UInt32($1)) }
      }
      print(capacities.map { String(format: "%.2f", share(of: keys, capacity: $0)) }.joined(separator: " "))
    }
  }

  private func share(of keys: [UInt32], capacity: Int) -> Double {
    let cache = PromiseCache<UInt32, UInt32, Never>(capacity: capacity)
    for key in keys { _ = cache.promise(for: key, on: .immediate) { Promise(fulfilled: $0) } }
    return 100 * Double(cache.counters.hits) / Double(max(keys.count, 1))
  }
}
