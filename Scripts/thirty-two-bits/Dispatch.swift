// The declarations of Dispatch that the core uses.

public struct DispatchQoS: Sendable {
  public enum QoSClass: Sendable {
    case background, utility, `default`, userInitiated, userInteractive, unspecified
  }

  public static let utility = DispatchQoS()
  public static let userInteractive = DispatchQoS()
}

public enum DispatchTimeInterval: Sendable {
  case seconds(Int)
  case milliseconds(Int)
  case microseconds(Int)
  case nanoseconds(Int)
  case never
}

public struct DispatchTime: Sendable {
  public static func now() -> DispatchTime { DispatchTime() }
}

public struct DispatchWallTime: Sendable {
  public static func now() -> DispatchWallTime { DispatchWallTime() }
}

public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
public func + (time: DispatchWallTime, interval: DispatchTimeInterval) -> DispatchWallTime { time }

public enum DispatchTimeoutResult: Sendable {
  case success, timedOut
}

public final class DispatchSemaphore: Sendable {
  public init(value: Int) {}
  public func signal() {}
  public func wait() {}
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
}

public final class DispatchSpecificKey<T>: Sendable {
  public init() {}
}

public final class DispatchQueue: Sendable {
  public static var main: DispatchQueue { DispatchQueue(label: "") }
  public static func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { DispatchQueue(label: "") }
  public static func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { nil }

  public let label: String

  public enum Attributes: Sendable { case serial, concurrent }

  public init(label: String, qos: DispatchQoS = .userInteractive, attributes: Attributes = .serial) {
    self.label = label
  }

  public func async(execute work: @escaping @Sendable () -> Void) {}
  public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable () -> Void) {}
  public func sync(execute work: () -> Void) {}
  public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) {}
  public func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { nil }
}

public protocol DispatchSourceTimer: AnyObject, Sendable {
  func setEventHandler(handler: (@Sendable () -> Void)?)
  func activate()
  func schedule(deadline: DispatchTime, leeway: DispatchTimeInterval)
  func schedule(wallDeadline: DispatchWallTime, leeway: DispatchTimeInterval)
}

public protocol DispatchSourceSignal: AnyObject, Sendable {
  func setEventHandler(handler: (@Sendable () -> Void)?)
  func resume()
}

public enum DispatchSource {
  public static func makeSignalSource(signal: Int32, queue: DispatchQueue?) -> any DispatchSourceSignal { fatalError() }
  public static func makeTimerSource(queue: DispatchQueue?) -> any DispatchSourceTimer { fatalError() }
}
