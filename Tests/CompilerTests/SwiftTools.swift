#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  /// The compiler and its companions, run against the module that this test was built with.
  struct SwiftTools {
    /// What could not be done, in words.
    struct Failure: Error, CustomStringConvertible {
      let description: String
    }

    struct Output {
      let status: Int32
      let text: String
    }

    /// Where the build has put `Overmorrow.swiftmodule`.
    let modules: URL
    /// Where the clients are: not part of any target, so that the build leaves them alone.
    let clients: URL
    /// What the compiler has to be told to import the module, and the C module that it needs itself.
    var imports: [String] {
      let package = clients.deletingLastPathComponent().deletingLastPathComponent()
      return ["-I", modules.path, "-I", package.appending(path: "Sources/COvermorrowSystem/include").path]
    }

    /// Whether this is the build whose module is shown to the compiler. An optimised one, or one with a sanitizer, has the
    /// same declarations, and the compiler takes minutes over the clients.
    static var areAsked: Bool {
      #if DEBUG
        !isSanitized
      #else
        false
      #endif
    }

    init() throws {
      clients = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
        path: "Clients")
      modules = try SwiftTools.findModules()
    }

    /// Looks in the folders above the running test, from the innermost outwards.
    private static func findModules() throws -> URL {
      var programs = CommandLine.arguments.filter { $0.hasSuffix(".xctest") || $0.contains(".xctest/") }
      programs += [CommandLine.arguments[0]] + Bundle.allBundles.map(\.bundlePath)
      for program in programs {
        var folder = URL(filePath: program).resolvingSymlinksInPath()
        while folder.path != "/" {
          folder.deleteLastPathComponent()
          for candidate in [folder.appending(path: "Modules"), folder]
          where FileManager.default.fileExists(atPath: candidate.appending(path: "Overmorrow.swiftmodule").path) {
            return candidate
          }
        }
      }
      throw Failure(
        description: "there is no Overmorrow.swiftmodule, nor Modules/Overmorrow.swiftmodule, above any of \(programs)")
    }

    /// The sources of a client: a file, or all the files of a folder; a file of a test, by its whole path.
    func sources(of client: String) throws -> [URL] {
      let place = client.hasPrefix("/") ? URL(filePath: client) : clients.appending(path: client)
      if client.hasSuffix(".swift") { return [place] }
      let files = try FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)
        .filter { $0.pathExtension == "swift" }
      guard !files.isEmpty else { throw Failure(description: "there is no client in \(place.path)") }
      return files.sorted { $0.path < $1.path }
    }

    private static func makeFolder() throws -> URL {
      let folder = FileManager.default.temporaryDirectory.appending(path: "overmorrow-client-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      return folder
    }

    /// Writes sources to files, which are there while the body runs; it gets their paths.
    @discardableResult
    func withFiles<T>(_ sources: [String: String], _ body: ([String]) async throws -> T) async throws -> T {
      let folder = try SwiftTools.makeFolder()
      defer { try? FileManager.default.removeItem(at: folder) }
      let files = try sources.map { name, source in
        let file = folder.appending(path: "\(name).swift")
        try source.write(to: file, atomically: true, encoding: .utf8)
        return file.path
      }
      return try await body(files)
    }

    /// Runs `swiftc` on clients that belong together, without making anything of them.
    ///
    /// - Parameter collect: Called with the folder that the compiler runs in, before it goes.
    func compile(
      _ clients: [String], language: Int, _ options: [String] = ["-typecheck"], collect: (URL) throws -> Void = { _ in }
    ) async throws -> Output {
      // Kept for the next run, as a new one costs seconds; not the build's own, which knows itself by another path.
      let cache = modules.deletingLastPathComponent().appending(path: "ClientModuleCache")
      return try await run(
        ["swiftc", "-swift-version", "\(language)", "-module-name", "Client", "-diagnostic-style", "llvm"]
          + ["-no-color-diagnostics", "-module-cache-path", cache.path]
          + imports + options + clients.flatMap { try sources(of: $0) }.map(\.path), collect: collect)
    }

    /// Runs a tool of the toolchain in a folder of its own, which is gone afterwards.
    ///
    /// - Parameter collect: Called with the folder, before it goes.
    @discardableResult
    func run(_ command: [String], collect: (URL) throws -> Void = { _ in }) async throws -> Output {
      let folder = try SwiftTools.makeFolder()
      defer { try? FileManager.default.removeItem(at: folder) }
      let transcript = folder.appending(path: "output.txt")
      guard FileManager.default.createFile(atPath: transcript.path, contents: nil) else {
        throw Failure(description: "cannot write to \(transcript.path)")
      }
      let handle = try FileHandle(forWritingTo: transcript)

      let process = Process()
      #if os(macOS)
        process.executableURL = URL(filePath: "/usr/bin/xcrun")
      #else
        process.executableURL = URL(filePath: "/usr/bin/env")
      #endif
      process.arguments = command
      process.currentDirectoryURL = folder
      // A sanitizer that this test runs under is no business of the compiler.
      process.environment = ProcessInfo.processInfo.environment.filter { variable in
        !variable.key.hasSuffix("SAN_OPTIONS") && !variable.key.hasSuffix("INSERT_LIBRARIES")
          && variable.key != "LD_PRELOAD"
      }
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = handle
      process.standardError = handle
      let ended = Latch()
      process.terminationHandler = { _ in ended.signal() }
      try process.run()
      await ended.wait(for: "\(command.prefix(2).joined(separator: " ")) to end", within: .seconds(300))
      if process.isRunning {
        process.terminate()
        throw Failure(description: "\(command) was still running after five minutes")
      }
      try handle.close()
      try collect(folder)
      let text = try String(contentsOf: transcript, encoding: .utf8)
      return Output(status: process.terminationStatus, text: text)
    }
  }
#endif
