import Dispatch
import Foundation
import OvermorrowTesting
import TestSupport
import Testing

@testable import Overmorrow

#if DEBUG && os(Linux)
  /// The trails of errors in random chains, compared with a model.
  @Suite(.enabled(if: isLevelUnset)) struct TrailRandomTests {
    @Test("15.42 the trail of an error in a random chain is the model's way", arguments: 0..<10)
    func chains(block: Int) async throws {
      var errors = 0
      for seed in block * 100..<(block + 1) * 100 {
        var random = SeededGenerator(seed: UInt64(seed))
        let plan = TrailPlan(&random, steps: 1...10, depth: 1)
        let expected = plan.expected.way
        let seen = Recorder<PromiseTrail?>()
        let chain = plan.build(seed)
        _ = try? await chain.catch(on: .immediate) { seen.record(PromiseDiagnostics.trail(of: $0)) }.value
        guard let expected else {
          #expect(seen.entries.isEmpty, "seed \(seed)")
          continue
        }
        errors += 1
        let trail = try #require(seen.entries.first ?? nil, "seed \(seed)")
        #expect(trail.description == expected.joined(separator: "\n"), "seed \(seed)")
        #expect(trail.omitted == 0)
        try check(trail)
        // Elsewhere, the error's type and description find the same trail.
        do { _ = try await chain.value } catch {
          #expect(PromiseDiagnostics.trail(of: error)?.description == trail.description, "seed \(seed)")
        }
      }
      #expect(errors > 30)
    }

    /// Compares the JSON with the entries.
    private func check(_ trail: PromiseTrail) throws {
      let object = try JSONSerialization.jsonObject(with: Data(trail.json.utf8))
      let members = try #require(object as? [String: Any])
      let entries = try #require(members["entries"] as? [[String: Any]])
      #expect(entries.map { $0["place"] as? String } == trail.entries.map(\.place))
      #expect(entries.map { $0["operation"] as? String } == trail.entries.map(\.operation))
      #expect(entries.map { $0["context"] as? String } == trail.entries.map(\.context))
      #expect(entries.map { $0["kind"] as? String } == trail.entries.map(\.kind.rawValue))
      #expect(entries.map { $0["isRejectedHere"] as? Bool } == trail.entries.map(\.isRejectedHere))
      #expect(members["omitted"] as? Int == trail.omitted)
    }
  }

  private struct Fault: Error {
    let text: String

    /// Returns a closure that throws.
    static func thrower<Input>(_ text: String) -> @Sendable (Input) throws(Fault) -> Int {
      { _ throws(Fault) in throw Fault(text: text) }
    }
  }

  private typealias Subject = Promise<Int, Fault>

  /// A random chain. Its model knows the way of the error that the chain ends with.
  private struct TrailPlan: Sendable {
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
      var chain = ["  made at DiagnosticsTests/TrailRandomTests.swift:\(Self.madeLine)"]
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
      "  \(name) at TrailRandomTests.swift:\(line) on \(contextNames[context])"
    }

    private static func adoption(_ line: String) -> String { "  adopted by \(line.dropFirst(2))" }
  }
#endif
