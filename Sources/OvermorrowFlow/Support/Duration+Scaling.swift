internal import Overmorrow
internal import OvermorrowEngine

extension Duration {
  /// Returns this duration multiplied by a factor, clamped to the range from zero to `longestWait`.
  func scaled(by factor: Double) -> Duration {
    guard self > .zero, factor > 0 else { return .zero }
    // A product that `Duration` cannot represent would trap.
    return self / .seconds(1) * factor < Duration.longestWait / .seconds(1) ? self * factor : .longestWait
  }
}

extension ClosedRange<Double> {
  /// This range, clamped to finite numbers that are not negative.
  var finiteNonNegative: ClosedRange<Double> {
    // No random number can be drawn from an infinite range.
    clamped(to: 0...(.greatestFiniteMagnitude))
  }
}
