extension Duration {
  /// So many seconds. What is not a number is nothing, and what is too much for a duration is a hundred years.
  package init(timeInterval seconds: Double) {
    self = seconds.isNaN ? .zero : .seconds(min(max(seconds, -3e9), 3e9))
  }
}
