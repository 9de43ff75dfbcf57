#if os(Linux)
  import Testing

  /// The modules whose members a client sees. The suite also runs in release builds, because a debug build of a module
  /// may import others than a release build.
  @Suite(.serialized, .compiling, .enabled(if: !isSanitized)) struct VisibleModulesTests {
    @Test(
      "18.8 a client sees no module that the library uses internally",
      arguments: [
        ("Overmorrow", ["Dispatch"]),
        ("OvermorrowFlow", ["Dispatch"]),
        ("OvermorrowFoundation", ["Dispatch", "Foundation", "FoundationNetworking"]),
        ("OvermorrowObservation", ["Dispatch", "Observation"]),
        ("OvermorrowTesting", ["Dispatch", "Foundation", "Testing", "XCTest"]),
        ("OvermorrowTracing", ["Dispatch"]),
      ])
    func products(module: String, system: [String]) async throws {
      try await SwiftTools().expectVisible(in: module, isOwn: { $0.hasPrefix("Overmorrow") }, system: system)
    }

    @Test("18.8 a module that another one uses internally is found", arguments: ["Runtime", "FoundationNetworking"])
    func leak(_ leaked: String) async throws {
      let tools = try SwiftTools()
      try await tools.withFiles(["Leaking": "internal import \(leaked)\n"]) { files in
        let folder = files[0].replacing("/Leaking.swift", with: "")
        let made = try await tools.run(
          ["swiftc", "-emit-module", "-module-name", "Leaking", files[0]]
            + ["-emit-module-path", "\(folder)/Leaking.swiftmodule"])
        #expect(made.status == 0, "\(made.text)")
        await withKnownIssue {
          try await tools.expectVisible(
            in: "Leaking", isOwn: { $0 == "Leaking" }, system: [], options: ["-I", folder])
        }
      }
    }
  }
#endif
