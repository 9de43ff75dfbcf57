import Overmorrow
import OvermorrowTesting
import ServiceContextModule
import Testing

@Suite struct TracingTests {
  private enum RequestKey: ServiceContextKey {
    typealias Value = String
  }

  private var request: String? { ServiceContext.current?[RequestKey.self] }

  @Test("2.27 a callback on a carrying context sees the service context of its registration")
  func callback() async throws {
    let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
    var context = ServiceContext.topLevel
    context[RequestKey.self] = "7"
    let (carried, plain) = ServiceContext.withValue(context) {
      (
        promise.map(on: .utility.carrying(ServiceContext.$current)) { _ in request },
        promise.map(on: .utility) { _ in request }
      )
    }
    resolver.fulfill(with: 1)
    #expect(try await carried.value == "7")
    #expect(try await plain.value == nil)
  }

  @Test("2.27 the guide's page is parsed with the service context")
  func traces() throws {
    let url = "https://example.org/"
    func load(_ url: String) -> Promise<String, any Error> { Promise(fulfilled: url) }
    @Sendable func parse(_ text: String) throws -> Bool { ServiceContext.current != nil }
    try ServiceContext.withValue(.topLevel) {
      let page = load(url)
        .map(on: .utility.carrying(ServiceContext.$current)) { try parse($0) }
      let isThere = try page.wait()
      #expect(isThere)
    }
  }
}
