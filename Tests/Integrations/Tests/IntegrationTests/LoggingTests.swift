import InMemoryLogging
import Logging
import Overmorrow
import OvermorrowLogging
import Testing

@Suite struct LoggingTests {
  @Test("19.3 a diagnostic is logged with its text and its promise's place")
  func diagnostics() throws {
    let handler = InMemoryLogHandler()
    let logger = Logger(label: "promises") { _ in handler }
    let handle = logger.diagnosticsHandler(level: .error)
    handle(.failureUnobserved(origin: "Weather/Loader.swift:48", error: "notFound"))
    handle(.invalidArgument("PromiseLimiter.width: 0 counts as 1"))
    let entries = handler.entries
    #expect(entries.map(\.level) == [.error, .error])
    #expect(
      entries[0].message.description.hasPrefix("a promise was rejected, and no code read the error: notFound"))
    #expect(entries.map(\.metadata) == [["origin": "Weather/Loader.swift:48"], [:]])
  }

  @Test("the guide's logger can be set as the handler")
  func logs() {
    let (handler, level) = (PromiseDiagnostics.handler, PromiseDiagnostics.level)
    defer { (PromiseDiagnostics.handler, PromiseDiagnostics.level) = (handler, level) }
    PromiseDiagnostics.handler = Logger(label: "promises").diagnosticsHandler()
    PromiseDiagnostics.level = .report
    #expect(PromiseDiagnostics.handler != nil)
  }
}
