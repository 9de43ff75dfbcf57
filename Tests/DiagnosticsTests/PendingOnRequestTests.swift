#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  @testable import Overmorrow
  @testable import OvermorrowDiagnostics
  @testable import OvermorrowEngine

  /// The C function, declared by its symbol, as a debugger finds it.
  #if compiler(>=6.3)
    @_silgen_name("overmorrow_print_pending") private func printPendingFromDebugger()
  #else
    // Swift 6.2 does not compile a declaration whose calling convention is not that of the function.
    private func printPendingFromDebugger() { printPendingPromises() }
  #endif

  /// The list that a program prints if its environment requests it. Each test runs in its own process.
  @Suite(.heavy, .enabled(if: isLevelUnset)) struct PendingOnRequestTests {
    private typealias Subject = Promise<Int, Reason>

    @Test("15.22 with OVERMORROW_PENDING=signal, a program prints what is pending at each SIGQUIT and continues")
    func signal() async {
      await #expect(processExitsWith: .success) {
        unsafe setenv("OVERMORROW_PENDING", "signal", 1)
        PromiseDiagnostics.level = .report
        let errors = StandardErrorCapture()
        let (promise, resolver) = Subject.makeWithResolver()
        for _ in 0..<2 {
          // Dispatch installs the signal handler on another thread.
          repeat { kill(getpid(), SIGQUIT) } while !errors.hasOutput
          #expect(errors.next().hasPrefix("Overmorrow: 1 promise is pending.\n#1 a promise made at DiagnosticsTests/"))
        }
        resolver.fulfill(with: 1)
        withExtendedLifetime(promise) {}
      }
    }

    #if DEBUG && os(Linux)
      @Test("15.57 at a signal, the list is printed before its lines are looked up")
      func linesLater() async {
        await #expect(processExitsWith: .success) {
          PromiseDiagnostics.level = .report
          let errors = StandardErrorCapture()
          let isPrinted = DispatchSemaphore(value: 0)
          Symbols.read { _ in
            isPrinted.wait()
            isPrinted.signal()
            return [SymbolFrame(symbol: "step", name: "step()", place: (path: "/App/Loader.swift", line: 7))]
          }
          let (promise, resolver) = Subject.makeWithResolver()
          let step = promise.map(on: .utility) { $0 }
          DispatchQueue.global().async { printPendingFromDebugger() }
          let first = errors.next()
          #expect(first.hasPrefix("Overmorrow: 2 promises are pending.\n#1 "))
          #expect(!first.contains("Loader.swift"))
          isPrinted.signal()
          let second = errors.next()
          #expect(second.hasPrefix("Overmorrow: with lines: 2 promises are pending.\n#1 "), "\(second)")
          #expect(second.contains("at Loader.swift:7"))
          resolver.fulfill(with: 1)
          withExtendedLifetime(step) {}
        }
      }
    #endif

    @Test("15.22 with OVERMORROW_PENDING=after:…, a program prints once what is pending at that time")
    func after() async {
      await #expect(processExitsWith: .success) {
        unsafe setenv("OVERMORROW_PENDING", "after:0.05", 1)
        PromiseDiagnostics.level = .report
        let errors = StandardErrorCapture()
        let (promise, resolver) = Subject.makeWithResolver()
        #expect(errors.next().contains("waits for its resolver"))
        resolver.fulfill(with: 1)
        withExtendedLifetime(promise) {}
      }
    }

    @Test("15.29 the C function overmorrow_print_pending prints what is pending")
    func debugger() async {
      await #expect(processExitsWith: .success) {
        PromiseDiagnostics.level = .report
        let errors = StandardErrorCapture()
        let (promise, resolver) = Subject.makeWithResolver()
        printPendingFromDebugger()
        #expect(errors.next().hasPrefix("Overmorrow: 1 promise is pending.\n#1 a promise made at DiagnosticsTests/"))
        resolver.fulfill(with: 1)
        withExtendedLifetime(promise) {}
      }
    }

    @Test("15.22 an invalid OVERMORROW_PENDING and a level that lists nothing are reported")
    func misspelt() async {
      let misspelt = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        unsafe setenv("OVERMORROW_PENDING", "signals", 1)
        for _ in 0..<2 { _ = Subject(fulfilled: 1) }
      }
      #expect(
        ownLines(in: misspelt?.standardErrorContent ?? []) == [
          "Overmorrow: OVERMORROW_PENDING is ignored: \"signals\" is neither \"signal\" nor \"after:\" and a number of seconds."
        ])
      let silent = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        unsafe setenv("OVERMORROW_PENDING", "signal", 1)
        unsafe setenv("OVERMORROW_DIAGNOSTICS", "off", 1)
        for _ in 0..<2 { _ = Subject(fulfilled: 1) }
      }
      #expect(
        ownLines(in: silent?.standardErrorContent ?? []).map { $0.prefix(46) } == [
          "Overmorrow: OVERMORROW_PENDING has no effect: "
        ])
    }

    @Test("15.22 a level that lists nothing is reported, even if the program has set it")
    func levelOfProgram() async {
      let found = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        unsafe setenv("OVERMORROW_PENDING", "signal", 1)
        PromiseDiagnostics.level = .off
        for _ in 0..<2 { _ = Subject(fulfilled: 1) }
        PromiseDiagnostics.level = .report
        PromiseDiagnostics.level = .off
        _ = Subject(fulfilled: 1)
      }
      #expect(
        ownLines(in: found?.standardErrorContent ?? []).map { $0.prefix(46) } == [
          "Overmorrow: OVERMORROW_PENDING has no effect: "
        ])
      let watched = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        unsafe setenv("OVERMORROW_PENDING", "signal", 1)
        PromiseDiagnostics.level = .off
        PromiseDiagnostics.level = .report
        _ = Subject(fulfilled: 1)
      }
      #expect(ownLines(in: watched?.standardErrorContent ?? []) == [])
    }

    @Test("15.22 OVERMORROW_PENDING accepts signal and after with a number of seconds")
    func triggers() {
      typealias Trigger = PendingOnRequest.Trigger
      #expect(Trigger("signal") == .quitSignal)
      #expect(Trigger("after:10") == .delay(seconds: 10))
      #expect(Trigger("after:0.5") == .delay(seconds: 0.5))
      for text in ["after", "after:", "after:-1", "after:x", "after:nan", "after:inf", "Signal", "10"] {
        #expect(Trigger(text) == nil, "\(text)")
      }
    }
  }

  /// Captures the standard error of this process. An alarm ends the process after a minute, because a read without
  /// output would never return.
  private final class StandardErrorCapture {
    private let pipe = Pipe()
    private let before = dup(STDERR_FILENO)

    init() {
      alarm(60)
      dup2(pipe.fileHandleForWriting.fileDescriptor, STDERR_FILENO)
    }

    deinit { dup2(before, STDERR_FILENO) }

    /// Whether output arrives within a tenth of a second.
    var hasOutput: Bool {
      var request = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
      return unsafe poll(&request, 1, 100) == 1
    }

    /// The next output, which is written in one piece.
    func next() -> String { String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self) }
  }
#endif
