#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  /// The script `Debugger/overmorrow.py` in gdb and lldb. Each debugger runs the program `Tests/Clients/Stopped`, which
  /// stops with pending promises. A debugger that cannot run a program here is skipped.
  @Suite(.serialized, .compiling, .enabled(if: SwiftTools.areEnabled && isLevelUnset)) struct DebuggerTests {
    private enum Debugger: String {
      case gdb, lldb

      /// Returns the command that runs commands of the debugger. If a program stops during the first commands, the last
      /// commands run then.
      func command(_ first: [String], _ last: [String], on files: [String]) -> [String] {
        switch self {
        case .gdb: Debugger.start + ["gdb", "-nx", "-batch"] + (first + last).flatMap { ["-ex", $0] } + files
        case .lldb:
          Debugger.start + ["lldb", "--no-lldbinit", "--batch"] + first.flatMap { ["-o", $0] }
            + last.flatMap { ["-k", $0] } + files
        }
      }

      /// The command that starts a debugger, for at most half a minute. A process that is started on a thread of a pool
      /// inherits the blocked signals of this thread, and gdb needs these signals.
      private static let start = [
        "python3", "-c",
        """
        import signal, subprocess, sys
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        sys.exit(subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, timeout=30).returncode)
        """,
      ]

      /// Whether the debugger is installed, and may run programs.
      @Sendable func isUsable() async throws -> Bool {
        let output = try await SwiftTools().run(command(["run"], [], on: ["/bin/true"]))
        return output.text.contains("exited normally") || output.text.contains("exited with status = 0")
      }
    }

    private let tools: SwiftTools
    private let loading: [Debugger: String]

    init() throws {
      tools = try SwiftTools()
      let script = tools.clients.appending(path: "../../Debugger/overmorrow.py").standardizedFileURL.path
      loading = [.gdb: "source \(script)", .lldb: "command script import \(script)"]
    }

    @Test(
      "15.39 gdb lists the pending promises of a stopped program and of its core dump",
      .enabled("gdb cannot run a program here", Debugger.gdb.isUsable))
    func gdb() async throws {
      try await withProgram { program in
        let core = "\(program).core"
        let live = try await output(of: .gdb, ["run"], ["generate-core-file \(core)", "kill"], on: [program])
        #expect(watched(in: live) == lines(aged: "pending for N s"), "\(live)")
        #expect(FileManager.default.fileExists(atPath: core), "\(live)")
        let dead = try await output(of: .gdb, [], [], on: [program, core])
        #expect(watched(in: dead) == lines(aged: "N s older than the newest"), "\(dead)")
      }
    }

    @Test(
      "15.39 lldb lists the pending promises of a stopped program",
      .enabled("lldb cannot run a program here", Debugger.lldb.isUsable))
    func lldb() async throws {
      try await withProgram { program in
        let live = try await output(of: .lldb, ["run"], ["kill"], on: [program])
        #expect(watched(in: live) == lines(aged: "pending for N s"), "\(live)")
      }
    }

    @Test(
      "15.39 without debug information, a step is at a function",
      .enabled("gdb cannot run a program here", Debugger.gdb.isUsable))
    func withoutLines() async throws {
      try await withProgram { program in
        let stripped = "\(program)-stripped"
        let result = try await tools.run(["strip", "--strip-debug", "-o", stripped, program])
        #expect(result.status == 0, "\(result.text)")
        let live = try await output(of: .gdb, ["run"], ["kill"], on: [stripped])
        #expect(live.contains(##/#2 a step on utility at main\+\d+ made at Client/main\.swift:5, /##), "\(live)")
      }
    }

    @Test(
      "15.51 gdb finds the promises of an unwatched program and of its core dump",
      .enabled("gdb cannot run a program here", Debugger.gdb.isUsable))
    func unwatched() async throws {
      try await withProgram { program in
        let core = "\(program).core"
        let start = ["set environment OVERMORROW_DIAGNOSTICS=off", "run"]
        let live = try await output(of: .gdb, start, ["generate-core-file \(core)", "kill"], on: [program])
        #expect(found(in: live) == DebuggerTests.unwatched, "\(live)")
        let dead = try await output(of: .gdb, [], [], on: [program, core])
        #expect(found(in: dead) == DebuggerTests.unwatched, "\(dead)")
      }
    }

    @Test(
      "15.51 lldb finds the promises of an unwatched program",
      .enabled("lldb cannot run a program here", Debugger.lldb.isUsable))
    func unwatchedInLLDB() async throws {
      try await withProgram { program in
        let start = ["settings set target.env-vars OVERMORROW_DIAGNOSTICS=off", "run"]
        let live = try await output(of: .lldb, start, ["kill"], on: [program])
        #expect(found(in: live) == DebuggerTests.unwatched, "\(live)")
      }
    }

    @Test(
      "15.51 gdb searches a watched program on request, and says that the limit is reached",
      .enabled("gdb cannot run a program here", Debugger.gdb.isUsable))
    func limit() async throws {
      try await withProgram { program in
        let last = ["python import overmorrow_scan; overmorrow_scan.MAX_FOUND = 3", "overmorrow scan", "kill"]
        let live = try await output(of: .gdb, ["run"], last, on: [program])
        #expect(live.contains(#/\n\d+ unresolved promises were found in \d+ MiB of memory\.\n0x/#), "\(live)")
        let end = "\nThe search ended at its limit of 3 promises or 4 GiB, so the list is incomplete.\n"
        #expect(live.contains(end), "\(live)")
      }
    }

    private func withProgram(_ body: (String) async throws -> Void) async throws {
      let source = try String(contentsOf: tools.clients.appending(path: "Stopped/main.swift"), encoding: .utf8)
      try await tools.withFiles(["main": source]) { files in try await body(tools.link(files[0], ["-g"])) }
    }

    /// Runs a debugger, and lists the pending promises. Returns what the debugger prints.
    private func output(
      of debugger: Debugger, _ first: [String], _ last: [String], on files: [String]
    ) async throws -> String {
      // lldb runs the last commands only if the program stops.
      let command = debugger.command(
        [loading[debugger] ?? ""] + first, ["overmorrow pending"] + last, on: files)
      return try await tools.run(command).text
    }

    /// Returns the list of watched promises, with each time as "N s".
    private func watched(in text: String) -> [String] {
      let lines = text.split(separator: "\n").drop { !$0.hasSuffix("are pending.") }
      return lines.prefix(10).map { String($0).replacing(#/\d+\.\d s/#, with: "N s") }
    }

    /// The list of watched promises. Promise 5 is resolved. Promises 10 and 11 are the internal steps of promise 9.
    private func lines(aged age: String) -> [String] {
      [
        "9 promises are pending.",
        "#1 a promise made at Client/main.swift:5, \(age), 2 observers, waits for its resolver",
        "#2 a step on utility at main.swift:6 made at Client/main.swift:5, \(age), 1 observer, waits for #1",
        "#3 a step on main at main.swift:6 made at Client/main.swift:5, \(age), waits for #2",
        "#4 a promise named \"order 17, delayed\" made at Client/main.swift:10, \(age), 1 observer, "
          + "waits for its body, which waits to run on orders",
        "#6 a step named \"ü\" on orders at main.swift:11 made at Client/main.swift:11, \(age), "
          + "waits for its turn on orders",
        "#7 a promise made at Client/main.swift:13, \(age), waits for #4, which it was resolved with",
        "#8 a promise made at Client/main.swift:15, \(age), 1 observer, waits for its resolver",
        "#9 a promise made at Client/main.swift:17, \(age), waits for #1 and #8",
        "#12 a promise made at Client/main.swift:18, \(age), waits for a timer",
      ]
    }

    /// Returns the list of found promises, with each address as "@" and without callbacks, in the order of the text.
    private func found(in text: String) -> [String] {
      let lines = text.split(separator: "\n").drop { !$0.hasPrefix("This program has watched no promise") }
      let texts = lines.prefix(11).map { line in
        String(line).replacing(#/0x[0-9a-f]+/#, with: "@").replacing(#/ with the callback [^,]+/#, with: "")
          .replacing(#/\d+ MiB/#, with: "N MiB")
      }
      return texts.sorted()
    }

    /// The same promises in a program that watches none. Their order in memory is not known.
    private static let unwatched = [
      "9 unresolved promises were found in N MiB of memory.",
      "@ a promise, 1 observer, waits for its body, which waits to run on orders",
      "@ a promise, 1 observer, waits for its resolver",
      "@ a promise, 2 observers, waits for its resolver",
      "@ a promise, waits for @ and @",
      "@ a promise, waits for @, which it was resolved with",
      "@ a promise, waits for the library, such as for a timer or a task",
      "@ a step on main, waits for @",
      "@ a step on orders, waits for its turn on orders",
      "@ a step on utility, 1 observer, waits for @",
      "This program has watched no promise, so its memory is searched.",
    ]
  }
#endif
