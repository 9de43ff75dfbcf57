import Overmorrow
import OvermorrowFlow
import OvermorrowObservation
import OvermorrowTesting
import TestSupport
import Testing

/// The debug description and the mirror of a handle of a load.
@MainActor @Suite(.checkedPromises) struct LoadDescribingTests {
  @Test("15.37 a load describes its value, its error and its progress, and observes nothing")
  func load() async {
    let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
    let load = PromiseLoad<String, Int> { text in text == "a" ? promise : Promise(fulfilled: 7) }
    #expect(String(reflecting: load) == "PromiseLoad<String, Int>(isLoading: false)")
    load.load("b")
    #expect(String(reflecting: load) == "PromiseLoad<String, Int>(isLoading: false, value: 7)")
    load.keepsPreviousValue = true
    load.load("a")
    #expect(
      Mirror(reflecting: load).children.map { "\($0.label ?? ""): \($0.value)" } == ["isLoading: true", "value: 7"])
    let text = await Task.detached { String(reflecting: load) }.value
    #expect(text == "PromiseLoad<String, Int>(isolated to the main actor)")
    load.cancel()
    resolver.cancel()
  }
}
