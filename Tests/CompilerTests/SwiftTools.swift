#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  /// The compiler and related tools, run against the module that this test was built with.
  struct SwiftTools {
    /// A description of a step that failed.
    struct Failure: Error, CustomStringConvertible {
      let description: String
    }

    struct Output {
      let status: Int32
      let text: String
    }

    /// The folder in which the build has put `Overmorrow.swiftmodule`.
    let modules: URL
    /// The folder of the clients. They belong to no target, so the build ignores them. `DropIns/Tests` contains a link
    /// to this file, and clients of its own.
    let clients: URL
    /// The compiler options that are needed to import the module and the C module that it imports.
    var imports: [String] {
      let file = URL(filePath: #filePath).resolvingSymlinksInPath()
      let package = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      let headers = package.appending(path: "Sources/COvermorrowSystem/include")
      return ["-I", modules.path, "-I", headers.path]
    }

    /// Whether the compiler tests run in this build. Optimised and sanitized builds have the same declarations, and the
    /// compiler would take minutes over the clients.
    static var areEnabled: Bool {
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

    /// Searches the folders that contain the running test, innermost first.
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

    /// Returns the source files of a client: one file, or all files of a folder. An absolute path names a file of a
    /// test.
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

    /// Writes sources to files, and passes their paths to the body. The files are removed when the body returns.
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

    /// Runs `swiftc` on the clients of one module without producing output files.
    ///
    /// - Parameter collect: Called with the working folder of the compiler before the folder is removed.
    func compile(
      _ clients: [String], language: Int, _ options: [String] = ["-typecheck"], collect: (URL) throws -> Void = { _ in }
    ) async throws -> Output {
      // Reused by the next run, because building a module cache takes seconds. The cache of the build itself cannot be
      // used, because it records a different path.
      let cache = modules.deletingLastPathComponent().appending(path: "ClientModuleCache")
      return try await run(
        ["swiftc", "-swift-version", "\(language)", "-module-name", "Client", "-diagnostic-style", "llvm"]
          + ["-no-color-diagnostics", "-module-cache-path", cache.path]
          + imports + options + clients.flatMap { try sources(of: $0) }.map(\.path), collect: collect)
    }

    /// Runs a tool of the toolchain in a temporary folder, which is removed afterwards.
    ///
    /// - Parameter collect: Called with the folder before it is removed.
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
      // The compiler must not run under the sanitizer of this test.
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
