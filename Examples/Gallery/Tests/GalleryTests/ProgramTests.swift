import Foundation
import TestSupport
import Testing

/// The program, run as a user runs it.
@Suite(.timeLimit(.minutes(2))) struct ProgramTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `the program writes a sheet and a summary and exits with 0`() async throws {
    // A long time limit, because the machine may be busy with other tests.
    let program = try Program(["--output", folder.path("sheet").path, "--timeout", "100"])
    let ending = await program.ended()
    #expect(ending.status == 0)
    #expect(ending.output.contains("Loaded   30 of 30\nRetried  4\nFailed   0\n"))
    #expect(ending.errors.contains("30 pictures to load\n"))
    #expect(folder.contents.count { $0.hasSuffix(".png") } == 30)
    #expect(folder.contents.contains("sheet/gallery.html"))
  }

  @Test(arguments: [("trace.html", "<!doctype html>"), ("trace.json", "{")])
  func `the program writes a trace of its promises`(name: String, beginning: String) async throws {
    let file = folder.path(name)
    let program = try Program([
      "--output", folder.path("sheet").path, "--timeout", "100", "--trace", file.path,
    ])
    let ending = await program.ended()
    #expect(ending.status == 0)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.hasPrefix(beginning))
    #expect(text.contains("GalleryKit/PictureLoader.swift:"))
  }

  @Test(arguments: ["missing/trace.html", "file/trace.html", "trace.json"])
  func `before the run, an unwritable trace is an error with its path`(name: String) async throws {
    try Data().write(to: folder.path("file"))
    try FileManager.default.createDirectory(at: folder.path("trace.json"), withIntermediateDirectories: false)
    let file = folder.path(name)
    let ending = try await Program(["--output", folder.path("sheet").path, "--trace", file.path]).ended()
    #expect(ending.status == 1)
    #expect(ending.errors.hasPrefix("Error: cannot write the trace to '\(file.path)': "))
    #expect(ending.errors.count { $0 == "\n" } == 1)
    #expect(!folder.contents.contains("sheet"))
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func `a signal during a run leaves no files`(signal: Int32, status: Int32) async throws {
    let program = try Program(["--output", folder.path("sheet").path, "--concurrency", "2"])
    await program.hasPrinted("1/30")
    program.send(signal)
    let ending = await program.ended()
    #expect(ending.status == status)
    #expect(ending.output.isEmpty)
    #expect(ending.errors.hasSuffix("Stopped. The output folder is unchanged.\n"))
    #expect(folder.contents.isEmpty)
  }

  @Test func `an unreachable server is an error with its address`() async throws {
    let ending = try await Program(["--url", "http://127.0.0.1:1", "--output", folder.path("sheet").path]).ended()
    #expect(ending.status == 1)
    #expect(ending.errors.hasPrefix("Error: cannot load http://127.0.0.1:1/users: "))
    #expect(folder.contents.isEmpty)
  }

  @Test func `a folder that is not writable is an error with its path`() async throws {
    let file = folder.path("file")
    try Data().write(to: file)
    let ending = try await Program(["--output", file.appending(component: "sheet").path]).ended()
    #expect(ending.status == 1)
    #expect(ending.errors == "Error: cannot write to '\(file.path)': it is a file, not a folder\n")
  }

  @Test func `pictures that exceed the time limit give the status 1`() async throws {
    let ending = try await Program(["--output", folder.path("sheet").path, "--timeout", "0.3"]).ended()
    #expect(ending.status == 1)
    #expect(ending.errors.contains(" did not answer within 0.3 s\n"))
    #expect(ending.output.contains("Loaded   "))
  }
}
