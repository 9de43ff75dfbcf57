import Tomorrowland
import XCTest

// The result types of the closures in the table. Promises with these results resolve later.
private typealias Std = PromiseResult<Int, Error>
private typealias Certain = PromiseResult<Int, TestError>
private typealias Numbers = PromiseResult<Int, Int>
private typealias Texts = PromiseResult<Int, String>

/// An operator as a value, so that one test can cover all of them.
struct Operator<Receiver>: CustomStringConvertible {
  enum Subject {
    case value, error, result, cancellation
  }

  let name: String
  /// The kind of result that its closure receives.
  let receives: Subject
  /// The result of its promise after the closure has run; `nil` stands for the receiver's result.
  let expected: String?
  private let attach: (Receiver, Trial) -> Step

  init(_ name: String, _ receives: Subject, _ expected: String? = nil, _ attach: @escaping (Receiver, Trial) -> Step) {
    self.name = name
    self.receives = receives
    self.expected = expected
    self.attach = attach
  }

  var description: String { "\(Receiver.self).\(name)" }

  @discardableResult
  func callAsFunction(_ receiver: Receiver, _ trial: Trial) -> Step {
    trial.step = attach(receiver, trial)
    return trial.step
  }

  /// Whether its promise has the receiver's result if the closure does not run.
  var passesResultOn: Bool { expected == nil || name.hasPrefix("tryThen") }

  /// The argument that the closure receives for a result, or `nil` if it does not run.
  func argument<V, E>(for result: PromiseResult<V, E>) -> String? {
    switch (receives, result) {
    case (.value, .value(let value)): "\(value)"
    case (.error, .error(let error)): "\(error)"
    case (.cancellation, .cancelled): "()"
    case (.result, _): text(result)
    default: nil
    }
  }
}

let operators: [Operator<Promise<Int, String>>] = [
  Operator("then", .value) { p, t in p.then(on: t.queue, token: t.token) { t.record($0) } },
  Operator("map", .value, "43") { p, t in p.map(on: t.queue, token: t.token) { t.record($0, $0 + 1) } },
  Operator("flatMap", .value, "error bar") { p, t in
    p.flatMap(on: t.queue, token: t.token) { t.pending($0, Texts.error("bar")) }
  },
  Operator("catch", .error) { p, t in p.catch(on: t.queue, token: t.token) { t.record($0) } },
  Operator("recover", .error, "3") { p, t in p.recover(on: t.queue, token: t.token) { t.record($0, $0.count) } },
  Operator("mapError", .error, "error 3") { p, t in p.mapError(on: t.queue, token: t.token) { t.record($0, $0.count) }
  },
  Operator("flatMapError", .error, "3") { p, t in
    p.flatMapError(on: t.queue, token: t.token) { t.pending($0, Numbers.value($0.count)) }
  },
  Operator("always", .result) { p, t in p.always(on: t.queue, token: t.token) { t.record($0) } },
  Operator("tap", .result) { p, t in p.tap(on: t.queue, token: t.token) { t.record($0) } },
  Operator("onCancel", .cancellation) { p, t in p.onCancel(on: t.queue, token: t.token) { t.record(()) } },
  Operator("mapResult", .result, "error 7") { p, t in
    p.mapResult(on: t.queue, token: t.token) { t.record($0, Numbers.error(7)) }
  },
  Operator("flatMapResult", .result, "8") { p, t in
    p.flatMapResult(on: t.queue, token: t.token) { t.pending($0, Numbers.value(8)) }
  },
  Operator("tryMapError", .error, "error TestError(id: 3)") { p, t in
    p.tryMapError(on: t.queue, token: t.token) { t.record($0, TestError(id: $0.count)) }
  },
  Operator("tryMapError to any error", .error, "error other") { p, t in
    p.tryMapError(on: t.queue, token: t.token) { t.record($0, OtherError.other as Error) }
  },
  Operator("tryMapError that throws", .error, "error other") { p, t in
    p.tryMapError(on: t.queue, token: t.token) { (x) throws -> TestError in throw t.record(x, OtherError.other) }
  },
  Operator("tryFlatMapError", .error, "3") { p, t in
    p.tryFlatMapError(on: t.queue, token: t.token) { t.pending($0, Std.value($0.count)) }
  },
  Operator("tryFlatMapError to a certain error", .error, "error TestError(id: 3)") { p, t in
    p.tryFlatMapError(on: t.queue, token: t.token) { t.pending($0, Certain.error(TestError(id: $0.count))) }
  },
  Operator("tryFlatMapError that throws", .error, "error other") { p, t in
    p.tryFlatMapError(on: t.queue, token: t.token) { (x) throws -> StdPromise<Int> in
      throw t.record(x, OtherError.other)
    }
  },
  Operator("tryMapResult", .result, "1") { p, t in
    p.tryMapResult(on: t.queue, token: t.token) { t.record($0, Certain.value(1)) }
  },
  Operator("tryMapResult that throws", .result, "error other") { p, t in
    p.tryMapResult(on: t.queue, token: t.token) { (x) throws -> Std in throw t.record(x, OtherError.other) }
  },
  Operator("tryFlatMapResult", .result, "1") { p, t in
    p.tryFlatMapResult(on: t.queue, token: t.token) { t.pending($0, Std.value(1)) }
  },
  Operator("tryFlatMapResult to a certain error", .result, "error TestError(id: 9)") { p, t in
    p.tryFlatMapResult(on: t.queue, token: t.token) { t.pending($0, Certain.error(TestError(id: 9))) }
  },
  Operator("tryFlatMapResult that throws", .result, "error other") { p, t in
    p.tryFlatMapResult(on: t.queue, token: t.token) { (x) throws -> StdPromise<Int> in
      throw t.record(x, OtherError.other)
    }
  },
]

let stdOperators: [Operator<StdPromise<Int>>] = [
  Operator("then", .value) { p, t in p.then(on: t.queue, token: t.token) { t.record($0) } },
  Operator("map", .value, "43") { p, t in p.map(on: t.queue, token: t.token) { t.record($0, $0 + 1) } },
  Operator("flatMap", .value, "error other") { p, t in
    p.flatMap(on: t.queue, token: t.token) { t.pending($0, Std.error(OtherError.other)) }
  },
  Operator("tryThen", .value) { p, t in p.tryThen(on: t.queue, token: t.token) { t.record($0) } },
  Operator("tryThen that throws", .value, "error other") { p, t in
    p.tryThen(on: t.queue, token: t.token) { throw t.record($0, OtherError.other) }
  },
  Operator("tryMap", .value, "43") { p, t in p.tryMap(on: t.queue, token: t.token) { t.record($0, $0 + 1) } },
  Operator("tryMap that throws", .value, "error other") { p, t in
    p.tryMap(on: t.queue, token: t.token) { (x) -> String in throw t.record(x, OtherError.other) }
  },
  Operator("tryFlatMap", .value, "43") { p, t in
    p.tryFlatMap(on: t.queue, token: t.token) { t.pending($0, Std.value($0 + 1)) }
  },
  Operator("tryFlatMap to a certain error", .value, "error TestError(id: 42)") { p, t in
    p.tryFlatMap(on: t.queue, token: t.token) { t.pending($0, Certain.error(TestError(id: $0))) }
  },
  Operator("tryFlatMap that throws", .value, "error other") { p, t in
    p.tryFlatMap(on: t.queue, token: t.token) { (x) throws -> StdPromise<Int> in throw t.record(x, OtherError.other) }
  },
  Operator("tryRecover", .error, "1") { p, t in
    p.tryRecover(on: t.queue, token: t.token) { t.record($0, ($0 as! TestError).id) }
  },
  Operator("tryRecover that throws", .error, "error other") { p, t in
    p.tryRecover(on: t.queue, token: t.token) { throw t.record($0, OtherError.other) }
  },
]

let chainOperators: [Operator<TokenPromise<Int, String>>] = [
  Operator("then", .value) { p, t in p.then(on: t.queue) { t.record($0) } },
  Operator("map", .value, "43") { p, t in p.map(on: t.queue) { t.record($0, $0 + 1) } },
  Operator("flatMap", .value, "error bar") { p, t in p.flatMap(on: t.queue) { t.pending($0, Texts.error("bar")) } },
  Operator("catch", .error) { p, t in p.catch(on: t.queue) { t.record($0) } },
  Operator("recover", .error, "3") { p, t in p.recover(on: t.queue) { t.record($0, $0.count) } },
  Operator("mapError", .error, "error 3") { p, t in p.mapError(on: t.queue) { t.record($0, $0.count) } },
  Operator("flatMapError", .error, "3") { p, t in p.flatMapError(on: t.queue) { t.pending($0, Numbers.value($0.count)) }
  },
  Operator("always", .result) { p, t in p.always(on: t.queue) { t.record($0) } },
  Operator("tap", .result) { p, t in p.tap(on: t.queue) { t.record($0) } },
  Operator("onCancel", .cancellation) { p, t in p.onCancel(on: t.queue) { t.record(()) } },
  Operator("mapResult", .result, "error 7") { p, t in p.mapResult(on: t.queue) { t.record($0, Numbers.error(7)) } },
  Operator("mapResult with its label", .result, "7") { p, t in
    p.mapResult(on: t.queue, onComplete: { t.record($0, Numbers.value(7)) })
  },
  Operator("flatMapResult", .result, "8") { p, t in p.flatMapResult(on: t.queue) { t.pending($0, Numbers.value(8)) } },
  Operator("tryMapError", .error, "error TestError(id: 3)") { p, t in
    p.tryMapError(on: t.queue) { t.record($0, TestError(id: $0.count)) }
  },
  Operator("tryFlatMapError", .error, "3") { p, t in
    p.tryFlatMapError(on: t.queue) { t.pending($0, Std.value($0.count)) }
  },
  Operator("tryMapResult", .result, "1") { p, t in p.tryMapResult(on: t.queue) { t.record($0, Certain.value(1)) } },
  Operator("tryFlatMapResult", .result, "1") { p, t in p.tryFlatMapResult(on: t.queue) { t.pending($0, Std.value(1)) }
  },
]

let stdChainOperators: [Operator<TokenPromise<Int, Error>>] = [
  Operator("tryThen", .value, "error other") { p, t in p.tryThen(on: t.queue) { throw t.record($0, OtherError.other) }
  },
  Operator("tryMap", .value, "43") { p, t in p.tryMap(on: t.queue) { t.record($0, $0 + 1) } },
  Operator("tryFlatMap", .value, "43") { p, t in p.tryFlatMap(on: t.queue) { t.pending($0, Std.value($0 + 1)) } },
  Operator("tryRecover", .error, "1") { p, t in p.tryRecover(on: t.queue) { t.record($0, ($0 as! TestError).id) } },
]
