import Overmorrow
import Testing

/// The dependents of a callback's own promise run before the next observer of the same source.
@Suite(.inTurn) struct DepthFirstTests {
  private let log = Recorder<String>()

  /// Returns a random tree of numbered promises, as an array with the children of each.
  private static func tree(_ random: inout SeededGenerator) -> [[Int]] {
    var children: [[Int]] = [[]]
    for number in 1..<200 {
      children[Int.random(in: max(0, number - 12)..<number, using: &random)].append(number)
      children.append([])
    }
    return children
  }

  @Test("2.7 the callbacks of any tree run depth first, with siblings in order", arguments: 0..<20)
  func trees(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let children = Self.tree(&random)
    var expected: [Int] = []
    func visit(_ number: Int) {
      expected.append(number)
      children[number].forEach(visit)
    }
    visit(0)

    let log = Recorder<Int>()
    let (root, resolver) = Subject.makeWithResolver()
    let operators = TestedOperator.every.filter { $0.runsFor.contains(.value) && !$0.returnsReceiver }
    func observe(_ promise: Subject, _ number: Int) -> Subject {
      operators[.random(in: operators.indices, using: &random)](promise, on: .immediate) { log.record(number) }
    }
    var promises = [observe(root, 0)] + Array(repeating: root, count: 199)
    // Registered level by level, so that the order of the callbacks depends only on the tree.
    var level = [0]
    while !level.isEmpty {
      for number in level { for child in children[number] { promises[child] = observe(promises[number], child) } }
      level = level.flatMap { children[$0] }
    }
    resolver.fulfill(with: 7)
    #expect(log.entries == expected)
  }

  @Test("2.7 deferred callbacks run in order before the children of the deferring callback")
  func putOff() {
    let pairs = (0..<2).map { _ in Subject.makeWithResolver() }
    for (index, pair) in pairs.enumerated() {
      pair.0.then(on: .immediate) { _ in log.record("\(index)") }
        .then(on: .immediate) { _ in log.record("\(index)'s child") }
      pair.0.then(on: .immediate) { _ in log.record("\(index) again") }
    }
    @Sendable func descend(_ level: Int) {
      Subject(fulfilled: level).then(on: .immediate) { level in
        if level < 24 { return descend(level + 1) }
        for pair in pairs { pair.1.fulfill(with: 7) }
        log.record("deepest")
      }.then(on: .immediate) { _ in if level == 24 { log.record("child") } }
    }
    descend(1)
    #expect(log.entries == ["deepest", "0", "0's child", "0 again", "1", "1's child", "1 again", "child"])
  }

  @Test("2.7 2.16 callbacks nest 24 deep, and deeper ones are deferred")
  func nestingOfBothKinds() {
    let steps = Recorder<Int>()
    @Sendable func descend(_ level: Int) {
      guard level <= 100 else { return }
      let (promise, resolver) = Subject.makeWithResolver()
      let isResolvedBefore = level % 3 != 0
      if isResolvedBefore { resolver.fulfill(with: level) }
      promise.then(on: .immediate) { level in
        steps.record(1)
        descend(level + 1)
        steps.record(-1)
      }
      if !isResolvedBefore { resolver.fulfill(with: level) }
    }
    descend(1)
    let depths = steps.entries.reduce(into: [0]) { depths, step in depths.append(depths[depths.count - 1] + step) }
    #expect((depths.max(), depths.last) == (24, 0))
    #expect(steps.entries.count == 200)
  }
}
