extension PromiseHistogram: CustomDebugStringConvertible, CustomReflectable {
  /// The number of durations, and the quantiles 0, 0.5, 0.99 and 1, which are approximate.
  public var debugDescription: String {
    let quantiles = quantiles.map { "\($0.name) \($0.value)" }
    return "PromiseHistogram(\(([count.counting("duration")] + quantiles).joined(separator: ", ")))"
  }

  /// The mirror that `dump` and a debugger show: the `count` of the durations and the quantiles `shortest`, `median`,
  /// `q99` and `longest`, without the buckets.
  public var customMirror: Mirror {
    let quantiles: [Mirror.Child] = quantiles.map { ($0.name, $0.value) }
    return Mirror(self, children: [("count", count)] + quantiles, displayStyle: .struct)
  }

  private var quantiles: [(name: String, value: Duration)] {
    [("shortest", 0), ("median", 0.5), ("q99", 0.99), ("longest", 1)].compactMap { name, share in
      quantile(share).map { (name, $0) }
    }
  }
}
