internal import Overmorrow
internal import OvermorrowEngine

extension PromiseRateLimiter: CustomDebugStringConvertible, CustomReflectable {
  /// The number of tokens in the bucket, its size and its rate. If the bucket is empty, also the time until the next
  /// call would get its token.
  public var debugDescription: String {
    let (tokens, wait) = content
    let turn = tokens > 0 ? "" : ", a call waits for \(wait)"
    return "PromiseRateLimiter(\(tokens) of \(settings.shape)\(turn))"
  }

  /// The mirror that `dump` and a debugger show: the number of `tokens` in the bucket, its size, `burst`, the
  /// `interval` between two tokens, and the time for which the next call would wait, `wait`.
  public var customMirror: Mirror {
    let (tokens, wait) = content
    return Mirror(
      self, children: ["tokens": tokens, "burst": settings.burst, "interval": settings.interval, "wait": wait],
      displayStyle: .class)
  }
}

extension PromiseKeyedRateLimiter: CustomDebugStringConvertible, CustomReflectable {
  /// The number of keys with a bucket, the size of a bucket, and its rate.
  public var debugDescription: String {
    "PromiseKeyedRateLimiter<\(Key.self)>(\(keyCount.counting("key")), each at most \(settings.shape))"
  }

  /// The mirror that `dump` and a debugger show: the number `keyCount` of keys with a bucket, the size of a bucket,
  /// `burst`, and the `interval` between two tokens.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["keyCount": keyCount, "burst": settings.burst, "interval": settings.interval],
      displayStyle: .class)
  }
}

extension TokenBucket.Settings {
  /// The number of tokens in a full bucket.
  fileprivate var burst: Int { Int(clamping: capacity.count(of: interval)) }

  fileprivate var shape: String { "\(burst.counting("token")), one in \(interval)" }
}
