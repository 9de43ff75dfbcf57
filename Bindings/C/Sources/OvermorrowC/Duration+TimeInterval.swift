extension Duration {
  /// Creates a duration of a number of seconds, clamped to about 95 years in either direction. NaN counts as zero.
  init(timeInterval seconds: Double) {
    self = seconds.isNaN ? .zero : .seconds(min(max(seconds, -3e9), 3e9))
  }
}
