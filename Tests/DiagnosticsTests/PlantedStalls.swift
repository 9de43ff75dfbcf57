#if os(macOS) || os(Linux)
  import Dispatch
  import Overmorrow
  import OvermorrowFlow

  /// A chain with one callback that keeps its queue for too long.
  struct PlantedStall: Sendable {
    private typealias Subject = Promise<Int, Reason>
    /// Does not return before the callback counts as too long.
    typealias Block = @Sendable () -> Void

    let name: String
    let isOnMain: Bool
    /// The line of the operator's call, counted from the line of the first promise; `nil` if the callback is
    /// immediate and runs inside the call that registers it, or is a body.
    let step: Int?
    /// Creates the chain, and returns the line of its first promise.
    let make: @MainActor @Sendable (_ block: @escaping Block, _ context: PromiseContext) -> Int

    private init(
      _ name: String, isOnMain: Bool = true, step: Int? = 0,
      _ make: @escaping @MainActor @Sendable (_ block: @escaping Block, _ context: PromiseContext) -> Int
    ) {
      self.name = name
      self.isOnMain = isOnMain
      self.step = step
      self.make = make
    }

    static let all = observers + transforms + nested + bodies + flow + onSerialQueue

    private static let observers = [
      PlantedStall("then") { block, context in
        Subject(fulfilled: 1).then(on: context) { _ in block() }
        return #line - 1
      },
      PlantedStall("tap") { block, context in
        _ = Subject(fulfilled: 1).tap(on: context) { _ in block() }
        return #line - 1
      },
      PlantedStall("catch after a map that does not run") { block, context in
        Subject(rejected: "no").map(on: context) { $0 }.catch(on: context) { _ in block() }
        return #line - 1
      },
      PlantedStall("always") { block, context in
        Subject(rejected: "no").always(on: context) { _ in block() }
        return #line - 1
      },
      PlantedStall("onCancel") { block, context in
        Subject(with: .cancelled).onCancel(on: context, block)
        return #line - 1
      },
    ]

    private static let transforms = [
      PlantedStall("map") { block, context in
        _ = Subject(fulfilled: 1).map(on: context) { value in
          block()
          return value
        }
        return #line - 4
      },
      PlantedStall("flatMap after a delay") { block, context in
        _ = Subject(on: .utility, fulfilled: 1, after: .milliseconds(1)).flatMap(on: context) { value in
          block()
          return Subject(fulfilled: value)
        }
        return #line - 4
      },
      PlantedStall("recover") { block, context in
        _ = Subject(rejected: "no").recover(on: context) { _ in
          block()
          return 1
        }
        return #line - 4
      },
      PlantedStall("the second map of a chain") { block, context in
        _ = Subject(fulfilled: 1).map(on: context) { $0 + 1 }.map(on: context) { value in
          block()
          return value
        }
        return #line - 4
      },
      PlantedStall("when") { block, context in
        let inputs: [Subject] = (0..<3).map { Subject(fulfilled: $0) }
        when(fulfilled: inputs).always(on: context) { _ in block() }
        return #line - 1
      },
    ]

    private static let nested = [
      PlantedStall("a callback inside the call that registers it", step: nil) { block, _ in
        Subject(fulfilled: 1).then(on: .immediate) { _ in block() }
        return #line - 1
      },
      PlantedStall("a callback inside the call that resolves its promise", step: 1) { block, _ in
        let (promise, resolver) = Subject.makeWithResolver()
        promise.then(on: .immediate) { _ in block() }
        resolver.fulfill(with: 1)
        return #line - 3
      },
      PlantedStall("a callback inside another callback", step: 1) { block, context in
        let (promise, resolver) = Subject.makeWithResolver()
        promise.then(on: .immediate) { _ in block() }
        Subject(fulfilled: 1).then(on: context) { resolver.fulfill(with: $0) }
        return #line - 3
      },
      PlantedStall("now or later") { block, context in
        Subject(fulfilled: 1).then(on: .nowOr(context)) { _ in block() }
        return #line - 1
      },
      PlantedStall("a callback with an owner") { block, context in
        let owner = Holder(1)
        _ = Subject(fulfilled: 1).bound(to: owner).map(on: context) { _, value in
          block()
          return withExtendedLifetime(owner) { value }
        }
        return #line - 4
      },
    ]

    private static let bodies = [
      PlantedStall("a body", step: nil) { block, context in
        _ = Subject(on: context) { resolver in
          block()
          resolver.fulfill(with: 1)
        }
        return #line - 4
      },
      PlantedStall("an immediate body", step: nil) { block, _ in
        _ = Subject(on: .immediate) { resolver in
          block()
          resolver.fulfill(with: 1)
        }
        return #line - 4
      },
    ]

    private static let flow = [
      PlantedStall("a job of a limiter", step: nil) { block, context in
        _ = PromiseLimiter(width: 1).run(on: context) {
          block()
          return Subject(fulfilled: 1)
        }
        return #line - 4
      },
      PlantedStall("a load of a cache", step: nil) { block, context in
        _ = PromiseCache<Int, Int, Reason>().promise(for: 1, on: context) { _ in
          block()
          return Subject(fulfilled: 1)
        }
        return #line - 4
      },
      PlantedStall("an attempt of a retry", step: nil) { block, context in
        _ = Subject.retry(.init(attempts: 1), on: context) { _ in
          block()
          return Subject(fulfilled: 1)
        }
        return #line - 4
      },
    ]

    private static let onSerialQueue = [
      PlantedStall("then on a serial queue", isOnMain: false) { block, context in
        Subject(fulfilled: 1).then(on: context) { _ in block() }
        return #line - 1
      },
      PlantedStall("map after a map on a serial queue", isOnMain: false) { block, context in
        _ = Subject(fulfilled: 1).map(on: context) { $0 + 1 }.map(on: context) { value in
          block()
          return value
        }
        return #line - 4
      },
      PlantedStall("a body on a serial queue", isOnMain: false, step: nil) { block, context in
        _ = Subject(on: context) { resolver in
          block()
          resolver.fulfill(with: 1)
        }
        return #line - 4
      },
      PlantedStall("an immediate callback in a callback on a serial queue", isOnMain: false, step: 1) {
        block, context in
        let (promise, resolver) = Subject.makeWithResolver()
        promise.then(on: .immediate) { _ in block() }
        Subject(fulfilled: 1).then(on: context) { resolver.fulfill(with: $0) }
        return #line - 3
      },
    ]
  }
#endif
