import Dispatch
import OvermorrowTesting
import TestSupport

@testable import Overmorrow

/// The error of a random chain.
struct Fault: Error {
  let text: String

  /// Returns a closure that throws.
  static func thrower<Input>(_ text: String) -> @Sendable (Input) throws(Fault) -> Int {
    { _ throws(Fault) in throw Fault(text: text) }
  }
}

/// A random chain. Its model knows the way of the error that the chain ends with.
struct TrailPlan: Sendable {
  typealias Subject = Promise<Int, Fault>

  enum Effect { case observes, throwsForValue, throwsForError, recovers }

  /// An operator on a line of this file.
  struct Operator: Sendable {
    let name: String
    let effect: Effect
    let line: Int
    let apply: @Sendable (Subject, PromiseContext, String) -> Subject

    init(
      _ name: String, _ effect: Effect, line: Int = #line,
      _ apply: @escaping @Sendable (Subject, PromiseContext, String) -> Subject
    ) {
      (self.name, self.effect, self.line, self.apply) = (name, effect, line, apply)
    }
  }

  static let operators = [
    Operator("map", .observes) { promise, context, _ in promise.map(on: context) { $0 } },
    Operator("map", .throwsForValue) { $0.map(on: $1, Fault.thrower($2)) },
    Operator("always", .observes) { promise, context, _ in promise.always(on: context) { _ in } },
    Operator("catch", .observes) { promise, context, _ in promise.catch(on: context) { _ in } },
    Operator("mapError", .throwsForError) { p, context, text in p.mapError(on: context) { _ in Fault(text: text) } },
    Operator("recover", .throwsForError) { $0.recover(on: $1, Fault.thrower($2)) },
    Operator("recover", .recovers) { promise, context, _ in promise.recover(on: context) { _ throws(Fault) in 1 } },
  ]

  enum Step: Sendable {
    case operation(Operator, context: Int)
    case flatMap(TrailPlan, context: Int)
    case flatMapError(TrailPlan, context: Int)

    var isObserver: Bool {
      if case .operation(let operation, _) = self { ["always", "catch"].contains(operation.name) } else { false }
    }
  }

  static let contexts: [PromiseContext] = [
    .immediate, .utility, .queue(DispatchQueue(label: "a queue")),
  ]
  static let contextNames = ["immediate", "utility", "a queue"]

  let rejects: Bool
  let steps: [Step]

  init(_ random: inout SeededGenerator, steps range: ClosedRange<Int>, depth: Int) {
    rejects = Int.random(in: 0..<3, using: &random) == 0
    var (steps, nested) = ([Step](), 0)
    for _ in 0..<Int.random(in: range, using: &random) {
      let context = Int.random(in: 0..<Self.contexts.count, using: &random)
      let kind = Int.random(in: 0..<Self.operators.count + 4, using: &random)
      if kind < Self.operators.count {
        steps.append(.operation(Self.operators[kind], context: context))
      } else if depth > 0, nested < 2 {
        nested += 1
        let plan = TrailPlan(&random, steps: 1...5, depth: depth - 1)
        steps.append(
          kind.isMultiple(of: 2) ? .flatMap(plan, context: context) : .flatMapError(plan, context: context))
      }
    }
    self.steps = steps
  }

  static let madeLine = #line + 4

  /// Makes the chain. The error of each step has another description.
  func build(_ seed: Int) -> Subject {
    let (promise, resolver) = Subject.makeWithResolver()
    // The root is resolved before or after the chain is made. Observers of a promise that is already resolved may make
    // no step, so a root with observers is resolved afterwards.
    let isEarly = seed.isMultiple(of: 2) && !steps.contains(where: \.isObserver)
    if isEarly { resolve(resolver, seed) }
    var chain = promise
    for (index, step) in steps.enumerated() {
      let text = "\(seed).\(index)"
      switch step {
      case .operation(let operation, let context):
        chain = operation.apply(chain, Self.contexts[context], text)
      case .flatMap(let plan, let context):
        chain = Self.flatMap.apply(chain, Self.contexts[context], plan, seed * 100 + index)
      case .flatMapError(let plan, let context):
        chain = Self.flatMapError.apply(chain, Self.contexts[context], plan, seed * 100 + index)
      }
    }
    if !isEarly { resolve(resolver, seed) }
    return chain
  }

  private func resolve(_ resolver: Subject.Resolver, _ seed: Int) {
    if rejects { resolver.reject(with: Fault(text: "\(seed)")) } else { resolver.fulfill(with: seed) }
  }

  typealias Nesting = (
    line: Int, apply: @Sendable (Subject, PromiseContext, TrailPlan, Int) -> Subject
  )
  static let flatMap: Nesting = (
    #line + 1,
    { promise, context, plan, seed in promise.flatMap(on: context) { _ in plan.build(seed) } }
  )
  static let flatMapError: Nesting = (
    #line + 1,
    { promise, context, plan, seed in promise.flatMapError(on: context) { _ in plan.build(seed) } }
  )

  /// The lines of the chain, and of the way of its error; the way is `nil` if the chain is fulfilled.
  var expected: (chain: [String], way: [String]?) {
    func here(_ lines: [String]) -> [String] { lines.dropLast() + [(lines.last ?? "") + ", rejected here"] }
    var chain = ["  made at DiagnosticsTests/TrailPlan.swift:\(Self.madeLine)"]
    var way = rejects ? here(chain) : nil
    for step in steps {
      switch step {
      case .operation(let operation, let context):
        let line = Self.line(operation.name, operation.line, context)
        chain.append(line)
        switch (operation.effect, way) {
        case (.throwsForValue, nil): way = here(chain)
        case (.throwsForError, let before?): way = here(before + [line])
        case (.recovers, _): way = nil
        case (_, let before?): way = before + [line]
        case (_, nil): break
        }
      case .flatMap(let plan, let context):
        let line = Self.line("flatMap", Self.flatMap.line, context)
        chain.append(line)
        way = way.map { $0 + [line] } ?? plan.expected.way.map { chain + $0 + [Self.adoption(line)] }
      case .flatMapError(let plan, let context):
        let line = Self.line("flatMapError", Self.flatMapError.line, context)
        chain.append(line)
        if let before = way { way = plan.expected.way.map { before + [line] + $0 + [Self.adoption(line)] } }
      }
    }
    return (chain, way)
  }

  private static func line(_ name: String, _ line: Int, _ context: Int) -> String {
    "  \(name) at TrailPlan.swift:\(line) on \(contextNames[context])"
  }

  private static func adoption(_ line: String) -> String { "  adopted by \(line.dropFirst(2))" }
}
