#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
  import PMKFoundation
  import PromiseKit
  import XCTest

  final class ProcessTests: PMKFoundationTestCase {
    private func shell(_ command: String) -> Process {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", command]
      return process
    }

    private func text(_ pipe: Pipe) -> String {
      String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    func testExitWithStatusZeroFulfilsWithThePipes() throws {
      let (out, err) = try value(shell("echo out; echo err >&2").launch(.promise))
      XCTAssertEqual(text(out), "out\n")
      XCTAssertEqual(text(err), "err\n")
    }

    func testOtherStatusRejectsWithTheOutput() throws {
      let process = shell("echo out; echo err >&2; exit 3")
      let error = try error(process.launch(.promise))
      guard case Process.PMKError.execution(let failed, "out\n", "err\n") = error else { return XCTFail("\(error)") }
      XCTAssertTrue(failed === process)
      XCTAssertEqual(failed.terminationStatus, 3)
      XCTAssertEqual(error.localizedDescription, "/bin/sh ended with the status 3: err\n")
    }

    func testSignalRejects() throws {
      let error = try error(shell("kill -9 $$").launch(.promise))
      guard case Process.PMKError.execution(let failed, "", "") = error else { return XCTFail("\(error)") }
      XCTAssertEqual(failed.terminationReason, .uncaughtSignal)
      XCTAssertEqual(error.localizedDescription, "/bin/sh ended with the status 9")
    }

    func testEarlierTerminationHandlerIsCalledAndRestored() throws {
      let (process, log) = (shell("exit 0"), Recorder<Int32>())
      process.terminationHandler = { log.record($0.terminationStatus) }
      _ = try value(process.launch(.promise))
      XCTAssertEqual(log.entries, [0])
      process.terminationHandler?(process)
      XCTAssertEqual(log.entries, [0, 0])
    }

    func testProcessLivesUntilItExits() throws {
      let input = Pipe()
      weak var process: Process?
      func start() -> Promise<(out: Pipe, err: Pipe)> {
        let started = shell("read line; echo $line")
        started.standardInput = input
        process = started
        return started.launch(.promise)
      }
      let promise = start()
      XCTAssertNotNil(process)
      input.fileHandleForWriting.write(Data("line\n".utf8))
      XCTAssertEqual(text(try value(promise).out), "line\n")
    }

    func testMissingExecutableRejectsWithTheErrorOfRun() throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/nowhere/at/all")
      let promise = process.launch(.promise)
      XCTAssertTrue(promise.isRejected)
      XCTAssertTrue(promise.error is CocoaError, "\(String(describing: promise.error))")
      XCTAssertNil(process.terminationHandler)
    }

    func testManyProcessesRunAtTheSameTime() throws {
      let inputs = (0..<80).map { _ in Pipe() }
      let processes = inputs.enumerated().map { number, input in
        let process = shell("read line; echo \(number)")
        process.standardInput = input
        return process.launch(.promise)
      }
      XCTAssertTrue(processes.allSatisfy(\.isPending))
      // Each process ends at the end of its input.
      for input in inputs { try input.fileHandleForWriting.close() }
      for (number, process) in processes.enumerated() { XCTAssertEqual(text(try value(process).out), "\(number)\n") }
    }

    func testErrorOfAPathThatIsNotExecutable() {
      XCTAssertEqual(
        Process.PMKError.notExecutable("/a").localizedDescription, "There is no executable file at /a")
    }
  }
#endif
