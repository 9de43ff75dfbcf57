internal import Overmorrow

extension Duration {
  /// Returns how often a shorter duration fits into this duration, exactly. Both are at most the longest wait, and the
  /// shorter one has at least a nanosecond.
  func count(of part: Duration) -> Int64 {
    let (whole, unit) = (nanoseconds, part.nanoseconds)
    // A part of whole nanoseconds fits as often into the whole nanoseconds of this duration.
    if unit.rest == 0 { return whole.count / unit.count }
    var count = Int64((self / part).rounded(.down))
    // The quotient of two durations is rounded, to a multiple of 512 for the largest numbers. So each loop has at most
    // 512 rounds, and usually none.
    while part * count > self { count -= 1 }
    while part * (count + 1) <= self { count += 1 }
    return count
  }

  /// The number of whole nanoseconds, and the attoseconds that are left. The longest wait has fewer nanoseconds than an
  /// integer can represent.
  private var nanoseconds: (count: Int64, rest: Int64) {
    let (seconds, attoseconds) = components
    let (count, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return (seconds * 1_000_000_000 + count, rest)
  }
}
