#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  /// The files of `Tests/Clients/Nested` contain work that throws any error, in closures of `Promise` that run on a
  /// context or that a limiter starts. These tests substitute the other kinds of work, receivers, contexts and
  /// starters.
  extension ClientTests {
    /// The kinds of work in a closure.
    private enum Work: CaseIterable {
      case throwing, throwingNothing, throwingKnown, infallible

      func replace(in source: String) -> String {
        switch self {
        case .throwing: source
        case .throwingNothing:
          // Work that throws nothing makes a promise that cannot fail, unless the type of the promise is given.
          Work.infallible.call(in: source).replacing(
            /((?:number|>) in\n +let made) =/, with: { "\($0.1): Promise<String, any Error> =" })
        case .throwingKnown:
          // Where nothing else determines the error type, the closure declares it.
          source.replacing("{ try await fetch(", with: "{ () async throws(LoadError) in try await load(")
            .replacing("any Error", with: "LoadError")
            .replacing(
              /(?m)^  ((?:limiter|Promise\.|when\().*)\.then\s*\{\s*print\(\$0\)\s*\}$/, with: { "  _ = \($0.1)" })
        case .infallible: call(in: source).replacing("any Error", with: "Never")
        }
      }

      private func call(in source: String) -> String { source.replacing("try await fetch(", with: "await compute(") }
    }

    private enum Receiver: CaseIterable {
      case promise, boundPromise

      func replace(in source: String) -> String {
        switch self {
        case .promise: source
        case .boundPromise:
          // Each closure receives the owner first.
          source.replacing("any Error>) {", with: "any Error>, owner: Owner) {")
            .replacing("(promise, text)", with: "(promise.bound(to: owner), text.bound(to: owner))")
            .replacing(/\{ (number|error|result|page|_) (in|->)/, with: { "{ _, \($0.1) \($0.2)" })
            .replacing("{ show($0) }", with: "{ _, text in show(text) }")
            .replacing(/((?:made|page)\.always) \{ _, _ in/, with: { "\($0.1) { _ in" })
            .replacing(/(onCancel.*?\{) (_ = Promise)/, with: { "\($0.1) _ in \($0.2)" })
        }
      }
    }

    /// The functions that start work. All except the limiter pass a number to the closure.
    private enum Starter: String, CaseIterable {
      case limiter = "limiter.run(on: .utility)"
      case retry = "Promise.retry(on: .utility)"
      case typedRetry = "Promise<String, any Error>.retry(on: .utility)"
      case bounded = "when(fulfilled: numbers, maxConcurrent: 4, on: .utility)"
      case cache = "cache.promise(for: 1, on: .utility)"

      func replace(in source: String) -> String {
        guard self != .limiter else { return source }
        let placed = source.replacing("\(Starter.limiter.rawValue) { () ->", with: "\(rawValue) { number ->")
          .replacing("\(Starter.limiter.rawValue) {", with: "\(rawValue) { number in")
          .replacing("fetch(0)", with: "fetch(number)")
        return self == .bounded
          ? placed.replacing("let ran: Promise<String", with: "let ran: Promise<[String]") : placed
      }

      /// Substitutes the starter in calls without a context, where single-expression closures use `$0`.
      func replaceForms(in source: String) -> String {
        let call = rawValue.replacing(/(, )?on: \.utility/, with: "").replacing("()", with: "")
        return source.replacing("func forms", with: "func forms_\(self)")
          .replacing(/limiter\.run \{ ((?:try await )?self\.\w+)\(1\)/, with: { "\(call) { \($0.1)($0)" })
          .replacing("limiter.run {", with: "\(call) { number in").replacing("(1)", with: "(number)")
      }
    }

    @Test("18.5 main-actor closures that start work compile without annotations, sync and async", arguments: [5, 6])
    func starters(language: Int) async throws {
      let forms = try String(contentsOf: tools.clients.appending(path: "Starters/Forms.swift"), encoding: .utf8)
      let others = [Starter.retry, .bounded, .cache].map { ("\($0)", $0.replaceForms(in: forms)) }
      #expect(others.allSatisfy { !$0.1.contains("limiter.run") })
      try await tools.withFiles(Dictionary(uniqueKeysWithValues: others)) { files in
        try await tools.expectAnnounced(
          ["Starters"] + files, language: language, options: ["-default-isolation", "MainActor"])
      }
    }

    @Test("18.5 a promise of async work compiles in every closure and every position", arguments: [5, 6])
    func nested(language: Int) async throws {
      let closures = try String(contentsOf: tools.clients.appending(path: "Nested/Closures.swift"), encoding: .utf8)
      let starting = try String(contentsOf: tools.clients.appending(path: "Nested/Starting.swift"), encoding: .utf8)

      var sources: [String: String] = [:]
      for work in Work.allCases {
        var variants: [String: String] = [:]
        for starter in Starter.allCases { variants["starting_\(starter)"] = starter.replace(in: starting) }
        for receiver in Receiver.allCases {
          let placed = receiver.replace(in: closures)
          variants["\(receiver)OnContext"] = placed
          variants["\(receiver)"] = placed.replacing("(on: .utility)", with: "")
        }
        for (name, source) in variants {
          let name = "\(work)_\(name)"
          sources[name] = work.replace(in: source).replacing(/(?m)^func (\w+)/, with: { "func \($0.1)_\(name)" })
        }
      }
      #expect(sources.count == 36)
      try await tools.withFiles(sources) { files in
        // With the failure type `Never`, which is one of the variants, no error reaches a closure.
        try await tools.expectAnnounced(["Nested"] + files, language: language, ignoring: "will never be executed")
      }
    }
  }
#endif
