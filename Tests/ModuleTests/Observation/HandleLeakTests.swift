import Overmorrow
import OvermorrowFlow
import OvermorrowObservation
import TestSupport
import Testing

@MainActor @Suite(.inTurn) struct HandleLeakTests {
  @MainActor private final class Model {
    var count = 0
    private(set) var load: PromiseLoad<Void, Int>?

    /// - Parameter capturesModel: Whether the closure of the handle captures the object that stores the handle.
    init(capturesModel: Bool) {
      load =
        capturesModel
        ? PromiseLoad { _ in Promise<Int, any Error>(fulfilled: self.count) }
        : PromiseLoad { _ in Promise<Int, any Error>(fulfilled: 1) }
    }

    func end() { load = nil }
  }

  @Test("15.4 15.54 a handle whose closure captures its model is a leak", arguments: [false, true])
  func capture(capturesModel: Bool) {
    weak var kept: Model?
    let found = PromiseDiagnostics.checking(leaks: true) {
      let model = Model(capturesModel: capturesModel)
      model.load?.load(())
      #expect(model.load?.value == (capturesModel ? 0 : 1))
      kept = model
    }.diagnostics
    #expect(found.filter { if case .leaked = $0 { true } else { false } }.isEmpty == !capturesModel, "\(found)")
    #expect((kept == nil) == !capturesModel)
    kept?.end()
    let others = PromiseDiagnostics.checking { Model(capturesModel: capturesModel) }
    #expect(others.diagnostics == [])
    others.result.end()
  }
}
