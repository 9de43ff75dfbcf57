import Observation
import Overmorrow
import OvermorrowObservation
import OvermorrowTesting
import TestSupport
import Testing

/// What a handle shows, computed one call after another.
private struct LoadModel {
  private struct Before {
    var (value, error, input): (Int?, String?, String?)
  }

  let keeps: Bool
  private(set) var (value, error, input): (Int?, String?, String?)
  private(set) var running: String?
  /// The number of calls that hold the running load.
  private var holders = 0
  /// The number of edits since the running load has begun. Each of them adds 1000.
  private var edits = 0
  private var before: Before?

  init(keeps: Bool) { self.keeps = keeps }

  var shown: Shown {
    if running != nil { return .loading(value) }
    if let error { return .failed(error, value) }
    return value.map(Shown.value) ?? .idle
  }

  mutating func load(_ name: String, _ input: String) {
    if running == nil { before = Before(value: value, error: error, input: self.input) }
    if input != self.input, !keeps { value = nil }
    (running, error, self.input) = (name, nil, input)
    (holders, edits) = (1, 0)
  }

  /// A task begins to wait for a load. Returns whether it joins the running one.
  mutating func join(_ input: String) -> Bool {
    guard running != nil, input == self.input else { return false }
    holders += 1
    return true
  }

  /// A task that waits for a load is cancelled.
  mutating func leave(_ name: String) {
    guard running == name else { return }
    holders -= 1
    if holders == 0 { end(name) }
  }

  mutating func end(_ name: String?, value: Int? = nil, error: String? = nil) {
    guard let name, running == name else { return }
    if let value {
      self.value = value + 1000 * edits
    } else if let error {
      self.error = error
    } else if let before {
      (self.value, self.error, input) = (before.value, before.error, before.input)
    }
    (running, before) = (nil, nil)
  }

  mutating func addThousand() {
    if let value { edit(value + 1000) }
    if running != nil { edits += 1 }
  }

  mutating func edit(_ value: Int?) {
    self.value = value
    before?.value = value
  }
}

@MainActor @Suite(.checkedPromises) struct LoadModelTests {
  @Test(
    "22.4 22.9 22.11 22.17 22.18 random calls and answers show what a sequential model shows", arguments: [true, false])
  func model(keeps: Bool) async {
    let clock = TestClock()
    var random = SeededGenerator(seed: keeps ? 7 : 8)
    for _ in 0..<scaled(500) {
      let (server, inputs) = (Server(), Recorder<String>())
      // Each load has its own name. Its input is the first letter.
      let load = PromiseLoad<String, Int> { input in
        inputs.record(input)
        return server.send(input + "\(inputs.entries.count)")
      }
      load.keepsPreviousValue = keeps
      var model = LoadModel(keeps: keeps)
      var tasks: [(task: Task<Void, Never>, name: String)] = []
      // Results arrive when the main actor runs the callbacks, in the order in which the server has sent them.
      var results: [(name: String, value: Int?, error: String?)] = []
      func settle() async {
        await clock.advance(by: .zero)
        for result in results { model.end(result.name, value: result.value, error: result.error) }
        results = []
      }
      for step in 0..<Int.random(in: 1...14, using: &random) {
        let name = server.requests.randomElement(using: &random)
        switch Int.random(in: 0..<15, using: &random) {
        case 0, 1, 2:
          let input = ["a", "b"].randomElement(using: &random) ?? "a"
          load.load(input)
          model.load(server.requests.last ?? "", input)
        case 3:
          let input = model.input
          load.reload()
          if let input { model.load(server.requests.last ?? "", input) }
        case 4, 5:
          guard let name, server.answer(name, step) else { continue }
          results.append((name, step, nil))
        case 6:
          guard let name, server.fail(name) else { continue }
          results.append((name, nil, "Offline"))
        case 7:
          guard let name, server.cancel(name) else { continue }
          results.append((name, nil, nil))
        case 8:
          load.cancel()
          model.end(model.running)
        case 9:
          load.value = step
          model.edit(step)
        case 10:
          load.edit { $0 += 1000 }
          model.addThousand()
        case 11, 12:
          await settle()
          let input = ["a", "b"].randomElement(using: &random) ?? "a"
          let task = Task { await load.run(input) }
          await settle()
          if !model.join(input) { model.load(server.requests.last ?? "", input) }
          tasks.append((task, server.requests.last ?? ""))
        case 13:
          await settle()
          guard let index = tasks.indices.randomElement(using: &random) else { continue }
          let (task, name) = tasks.remove(at: index)
          task.cancel()
          await task.value
          model.leave(name)
        default:
          load.reset()
          model = LoadModel(keeps: keeps)
        }
        if Bool.random(using: &random) { await settle() }
        #expect(Shown(load.phase) == model.shown)
      }
      await settle()
      #expect(Shown(load.phase) == model.shown)
      load.reset()
      for task in tasks { await task.task.value }
    }
  }
}
