extension Duration {
  /// This many seconds. A value that is not a number counts as zero, and one too large for a duration as a hundred
  /// years.
  package init(timeInterval seconds: Double) {
    self = seconds.isNaN ? .zero : .seconds(min(max(seconds, -3e9), 3e9))
  }
}
