extension Int {
  /// Returns this number with a noun, such as "1 job" or "2 jobs".
  func counting(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
