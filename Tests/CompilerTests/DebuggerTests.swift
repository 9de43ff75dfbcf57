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
        let output = try await list(in: .gdb, ["run"], ["generate-core-file \(core)", "kill"], of: [program])
        #expect(FileManager.default.fileExists(atPath: core), "\(output)")
        try await list(in: .gdb, [], [], of: [program, core])
      }
    }

    @Test(
      "15.39 lldb lists the pending promises of a stopped program",
      .enabled("lldb cannot run a program here", Debugger.lldb.isUsable))
    func lldb() async throws {
      try await withProgram { program in _ = try await list(in: .lldb, ["run"], ["kill"], of: [program]) }
    }

    @Test(
      "15.39 a debugger says that a program at the level off has no list",
      .enabled("gdb cannot run a program here", Debugger.gdb.isUsable))
    func unwatched() async throws {
      try await withProgram { program in
        let start = [loading[.gdb] ?? "", "set environment OVERMORROW_DIAGNOSTICS=off", "run"]
        let output = try await tools.run(Debugger.gdb.command(start, ["overmorrow pending", "kill"], on: [program]))
        #expect(output.text.contains("\nThis program has watched no promise, so it has no list. "), "\(output.text)")
      }
    }

    private func withProgram(_ body: (String) async throws -> Void) async throws {
      let source = try String(contentsOf: tools.clients.appending(path: "Stopped/main.swift"), encoding: .utf8)
      try await tools.withFiles(["main": source]) { files in try await body(tools.link(files[0])) }
    }

    /// Runs a debugger, and compares the list that it prints.
    ///
    /// - Returns: The output of the debugger.
    @discardableResult
    private func list(
      in debugger: Debugger, _ first: [String], _ last: [String], of files: [String],
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
      // lldb runs the last commands only if the program stops.
      let command = debugger.command(
        [loading[debugger] ?? ""] + first, ["overmorrow pending"] + last, on: files)
      let text = try await tools.run(command).text
      let lines = text.split(separator: "\n").drop { !$0.hasSuffix("are pending.") }.prefix(DebuggerTests.lines.count)
      #expect(lines.map(String.init) == DebuggerTests.lines, "\(text)", sourceLocation: sourceLocation)
      return text
    }

    /// The list of the program. Promise 5 is resolved. Promises 10 and 11 are the internal steps of promise 9.
    private static let lines = [
      "9 promises are pending.",
      "#1 a promise made at Client/main.swift:5, 2 observers, waits for its resolver",
      "#2 a step on utility made at Client/main.swift:5, 1 observer, waits for #1",
      "#3 a step on main made at Client/main.swift:5, waits for #2",
      "#4 a promise named \"order 17, delayed\" made at Client/main.swift:10, 1 observer, "
        + "waits for its body, which waits to run on orders",
      "#6 a step named \"ü\" on orders made at Client/main.swift:11, waits for its turn on orders",
      "#7 a promise made at Client/main.swift:13, waits for #4, which it was resolved with",
      "#8 a promise made at Client/main.swift:15, 1 observer, waits for its resolver",
      "#9 a promise made at Client/main.swift:17, waits for #1 and #8",
      "#12 a promise made at Client/main.swift:18, waits for a timer",
    ]
  }
#endif
