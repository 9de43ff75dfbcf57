import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// The behaviour of the guide's model with Combine, without the delay.
@MainActor @Suite struct SearchModelTests {
  @Test("a search with Combine shows the last text's results and survives an error")
  func search() {
    var searches: [String: PassthroughSubject<[String], any Error>] = [:]
    let model = SearchModel(scheduler: ImmediateScheduler.shared) { text in
      let search = PassthroughSubject<[String], any Error>()
      searches[text] = search
      return search.eraseToAnyPublisher()
    }
    model.text = "swi"
    model.text = "swift"
    #expect(model.isLoading)
    searches["swift"]?.send(["Swift 6"])
    searches["swi"]?.send(["swim"])
    #expect(model.results == ["Swift 6"] && !model.isLoading)
    model.text = "swifter"
    searches["swifter"]?.send(completion: .failure(Fault()))
    #expect(model.message == "fault" && !model.isLoading)
    model.text = ""
    #expect(model.results.isEmpty && model.message == nil && searches.count == 3)
  }
}
