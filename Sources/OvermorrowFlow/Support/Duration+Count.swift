internal import Overmorrow

extension Duration {
  /// Returns how often a shorter duration fits into this duration, exactly. Both are at most the longest wait, and the
  /// shorter one has at least a nanosecond.
  func count(of part: Duration) -> Int64 {
    var count = Int64((self / part).rounded(.down))
    // The quotient of two durations is rounded, to a multiple of 512 for the largest numbers. So each loop has at most
    // 512 rounds, and usually none.
    while part * count > self { count -= 1 }
    while part * (count + 1) <= self { count += 1 }
    return count
  }
}
