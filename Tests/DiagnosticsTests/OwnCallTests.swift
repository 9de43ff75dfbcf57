import Foundation
import OvermorrowFlow
import OvermorrowTesting
import TestSupport
import Testing

@testable import Overmorrow
@testable import OvermorrowDiagnostics
@testable import OvermorrowEngine

#if DEBUG && os(Linux)
  /// The calls of steps in debug builds that do not know lines, as on Apple's systems. Each test that pretends to be such
  /// a build runs in its own process.
  @Suite(.heavy, .enabled(if: isLevelUnset)) struct OwnCallTests {
    private typealias Subject = Promise<Int, Fault>

    private static let firstLine = #line + 4
    private static func makeChain(_ context: PromiseContext) -> (Promise<Int, any Error>, Subject.Resolver) {
      let (promise, resolver) = Subject.makeWithResolver()
      let chain =
        promise.map(on: context) { $0 }
        .flatMap(on: context) { _ in promise }
        .mapError(on: context) { $0 }
        .timeout(on: context, .seconds(60))
      return (chain, resolver)
    }

    /// Returns the line of a call.
    private static func line(of address: UInt?) -> String? {
      address.flatMap { UserCall.find(in: CallStack(addresses: [$0])) }?.site
    }

    @Test("15.42 without lines, the entry of a step has the program's call")
    func trail() async {
      await #expect(processExitsWith: .success) {
        for context in [PromiseContext.immediate, .utility] {
          Symbols.pretendUnknown(true)
          let (chain, resolver) = Self.makeChain(context)
          let seen = Recorder<PromiseTrail?>()
          chain.catch(on: .immediate) { seen.record(PromiseDiagnostics.trail(of: $0)) }
          resolver.reject(with: Fault(text: "a"))
          await until("the callback has run") { !seen.entries.isEmpty }
          let entries = seen.entries.first??.entries ?? []
          #expect(entries.map(\.kind) == [.promise, .step, .step, .step, .step])
          #expect(entries.dropFirst().map(\.place) == [nil, nil, nil, nil])
          #expect(entries.allSatisfy { $0.kind == .promise || $0.calls.first?.contains(".xctest+0x") == true })
          #expect(seen.entries.first??.description.contains("\n  step at \(entries[1].calls[0]) on ") == true)
          Symbols.pretendUnknown(false)
          let lines = entries.dropFirst().map { Self.line(of: $0.entry.addresses.first) }
          #expect(lines == (0..<4).map { "OwnCallTests.swift:\(Self.firstLine + $0)" })
        }
      }
    }

    @Test("15.38 without lines, the list of pending promises has the address of each step's call")
    func pending() async {
      await #expect(processExitsWith: .success) {
        Symbols.pretendUnknown(true)
        let (chain, resolver) = Self.makeChain(.main)
        let entries = PromiseDiagnostics.pending(upstreamOf: chain).entries
        #expect(entries.count == 5)
        #expect(entries.first?.place == entries.first?.origin)
        let places = entries.dropFirst().map { $0.place ?? "" }
        #expect(places.allSatisfy { $0.contains(".xctest+0x") }, "\(places)")
        #expect(Set(places).count == 4)
        withExtendedLifetime(resolver) {}
      }
    }

    private static func rejectUnread() {
      let promise = Subject(rejected: Fault(text: "a")).map(on: .immediate) { $0 }
      withExtendedLifetime(promise) {}
    }

    @Test("15.43 without lines, the report of an unread error prints the calls")
    func printing() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        Symbols.pretendUnknown(true)
        Self.rejectUnread()
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("\n  step at "))
      #expect(text.contains(".xctest+0x"))
    }

    @Test("15.38 a file is the library's by its whole module")
    func files() {
      let others = [
        "App/Overmorrow.swift", "OvermorrowDemo/A.swift", "Promises/A.swift", "Overmorro/w.swift",
        "App/Overmorrow/A.swift", "Overmorrow", "Overmorrow.swift", "/Overmorrow/A.swift", "overmorrow/A.swift", "",
      ]
      #expect(CallSite.ownModules.filter { !CallSite.isOwn(file: "\($0)A.swift") } == [])
      #expect(others.filter { CallSite.isOwn(file: $0) } == [])
    }

    @Test("15.38 a function is the library's by the module in its name")
    func names() {
      let own = [
        "$s10Overmorrow7PromiseV3map2on5tokenACyqd__q_GAA0B7ContextO_AA0B17InvalidationTokenCSgqd__xYbctlF",
        "$s16OvermorrowEngine7CoreRefV6follow4stepyAC_tF", "$s14OvermorrowFlow12PromiseCacheC",
        "$sSa10OvermorrowE7promisey", "$s10PromiseKit4when", "$sSiIegy_SiytIegnr_TR", "$sSiIegy_SiytIegnr_TRTA",
        "$ss20withExtendedLifetimeyq0_x_q0_yq_YKXEtq_YKs5ErrorR_Ri_zRi0_zRi_0_r1_lF",
      ]
      let others = [
        "$s3App4load10Overmorrow7PromiseVySis5Error_pGyF", "$s14OvermorrowDemo4load", "main", "_dispatch_call_block",
        "$s19OvermorrowEngineApp6EngineV",
      ]
      #expect(own.filter { !OwnCalls.isOwn(function: $0) } == [])
      #expect(others.filter { OwnCalls.isOwn(function: $0) } == [])
    }

    @Test("15.42 the linker's name of a function is found")
    func linkerName() {
      let address = unsafe UInt(bitPattern: dlsym(nil, "swift_retain"))
      #expect(CallStack.function(at: address) == "swift_retain")
      #expect(CallStack.function(at: 1) == nil)
    }

    @Test("15.42 on a thread, the frame pointers lead to the same calls as the unwinder")
    func frames() async {
      let calls = Recorder<[UInt]>()
      let isDone = Latch()
      Thread.detachNewThread {
        let (walked, unwound) = (CallStack.captureFrames(), CallStack.capture())
        calls.record(walked.addresses)
        calls.record(unwound.addresses)
        isDone.signal()
      }
      await isDone.wait(for: "the thread")
      // The two calls differ in this function and in those that they call.
      let (walked, unwound) = (calls.entries[0], calls.entries[1])
      #expect(walked.count > 4)
      #expect(walked.suffix(3).filter { !unwound.contains($0) } == [])
    }
  }
#endif
