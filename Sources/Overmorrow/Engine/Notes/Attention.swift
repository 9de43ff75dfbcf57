#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Whether anybody wants to know of promises that go wrong: all that the making of a promise looks at while nobody does.
///
/// ```
///   63                    2 1 0
///  ┌───────────────────────┬─┬─┐   w: the whole program is watched: its level is not `off`
///  │ s s s … scopes      s │u│w│   u: nobody has looked yet what the level is to be
///  └───────────────────────┴─┴─┘   s: scopes of checks that are open
/// ```
///
/// So the first promise of a program finds out what the environment says, and none after it.
enum Attention {
  #if EXPLORING
    // What is explored must not depend on what has been explored before.
    private static let word = Atomic<UInt>(0)
  #else
    private static let word = Atomic<UInt>(0b10)
  #endif
  private static let setting = Atomic<UInt8>(0)

  private static var watchedBit: UInt { 0b01 }
  private static var unreadBit: UInt { 0b10 }
  private static var scope: UInt { 0b100 }

  /// Relaxed: whoever runs in a scope was started after it was opened, on its own thread or by a hand-over that orders.
  @inline(__always)
  static var isAny: Bool { word.load(ordering: .relaxed) != 0 }

  /// Whether a scope is open.
  static var hasScopes: Bool { word.load(ordering: .relaxed) >= scope }

  /// Whether promises that belong to no scope are watched.
  static var isOn: Bool {
    read()
    return word.load(ordering: .relaxed) & watchedBit != 0
  }

  static func openScope() { word.add(scope, ordering: .relaxed) }
  static func closeScope() { word.subtract(scope, ordering: .relaxed) }

  // MARK: The level

  /// What is done with what is found. What the environment says comes before what the program says.
  static var level: PromiseDiagnostics.Level {
    get {
      read()
      return PromiseDiagnostics.Level(number: setting.load(ordering: .relaxed))
    }
    set {
      read()
      if environment == nil { set(newValue) }
    }
  }

  /// Looked up once, as a program may change its environment later on another thread.
  private static let environment: PromiseDiagnostics.Level? = {
    // Unsafe: the text is copied at once.
    guard let text = unsafe getenv(PromiseDiagnostics.variable) else { return nil }
    let name = unsafe String(cString: text)
    if name.isEmpty { return nil }
    if let level = PromiseDiagnostics.Level(name: name) { return level }
    StandardError.print(PromiseDiagnostics.Level.complaint(about: name))
    return nil
  }()

  private static func read() {
    guard word.load(ordering: .acquiring) & unreadBit != 0 else { return }
    let level = environment ?? PromiseDiagnostics.Level.initial
    // Whoever comes first decides; another one would decide the same.
    guard word.bitwiseAnd(~unreadBit, ordering: .acquiringAndReleasing).oldValue & unreadBit != 0 else { return }
    set(level)
  }

  private static func set(_ level: PromiseDiagnostics.Level) {
    setting.store(level.number, ordering: .relaxed)
    if level == .off {
      word.bitwiseAnd(~watchedBit, ordering: .relaxed)
    } else {
      word.bitwiseOr(watchedBit, ordering: .relaxed)
    }
  }
}

extension PromiseDiagnostics.Level {
  fileprivate var number: UInt8 {
    switch self {
    case .off: 0
    case .report: 1
    case .print: 2
    case .trap: 3
    }
  }

  fileprivate init(number: UInt8) { self = number == 0 ? .off : number == 1 ? .report : number == 2 ? .print : .trap }
}
