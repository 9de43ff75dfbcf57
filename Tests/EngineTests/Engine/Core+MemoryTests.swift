import COvermorrowSystem
import Foundation
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

/// The allocator of cores, which caches some free blocks per thread.
@Suite(.inTurn) struct CoreMemoryTests {
  /// A block of memory that is filled with a pattern.
  private struct Block: Sendable, Hashable {
    let address: UInt
    let bytes: Int
    let sizeClass: UInt32

    init(bytes: Int) {
      self.bytes = bytes
      sizeClass = overmorrow_size_class(bytes)
      // Unsafe: no other code has this memory until `free`.
      let memory = unsafe overmorrow_allocate(sizeClass, bytes)
      unsafe memory.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: bytes), count: bytes)
      address = UInt(bitPattern: memory)
    }

    /// Frees the memory. Returns `false` if the pattern has changed.
    func free() -> Bool {
      // Unsafe: for the same reason as in `init`.
      guard let memory = unsafe UnsafeMutableRawPointer(bitPattern: address) else { return false }
      let contents = unsafe UnsafeRawBufferPointer(start: memory, count: bytes)
      let isWhole = unsafe contents.allSatisfy { $0 == UInt8(truncatingIfNeeded: bytes) }
      unsafe overmorrow_free(memory, sizeClass)
      return isWhole
    }
  }

  private static let step = Int(OVERMORROW_CLASS_STEP)
  private static let largest = step * Int(OVERMORROW_CLASSES - 1)

  /// Returns the number of free blocks of the given size that a thread caches.
  private static func cacheLimit(_ bytes: Int) -> Int {
    Int(UInt32(OVERMORROW_KEPT_STEPS) / overmorrow_size_class(bytes))
  }

  @Test("a size class wastes less than one step, and larger sizes have class 0")
  func classes() {
    for bytes in 1...Self.largest {
      let room = Int(overmorrow_size_class(bytes)) * Self.step
      #expect(room >= bytes && room < bytes + Self.step)
    }
    for bytes in [Self.largest + 1, 1 << 20] { #expect(overmorrow_size_class(bytes) == 0) }
    #expect(Promise<Int, Never>(fulfilled: 1).handle.core.traits.sizeClass > 0)
    #expect(Promise<Large, Never>(fulfilled: Large()).handle.core.traits.sizeClass == 0)
  }

  @Test("blocks of all classes are disjoint and aligned, even when they are reused", arguments: 1...3)
  func apart(rounds: Int) {
    for _ in 0..<rounds {
      let blocks = (0..<2000).map { Block(bytes: 1 + $0 % 600) }
      let sorted = blocks.sorted { $0.address < $1.address }
      #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.address + UInt($0.bytes) <= $1.address })
      #expect(blocks.allSatisfy { $0.address % 16 == 0 })
      #expect(blocks.filter { !$0.free() } == [])
    }
  }

  @Test("blocks that are freed on another thread go to the pool of that thread")
  func otherThread() async throws {
    let blocks = (0..<100).map { _ in Block(bytes: 120) }
    let later = try await onOwnThread("another thread") {
      let areWhole = blocks.allSatisfy { $0.free() }
      let later = (0..<100).map { _ in Block(bytes: 120) }
      return areWhole && later.allSatisfy { $0.free() } ? later : []
    }
    #expect(Set(later.map(\.address)).count == 100)
    if !isSanitized { #expect(Set(later) == Set(blocks)) }
  }

  @Test("a thread reuses the blocks that it has freed, the last one first", arguments: [200, largest])
  func bound(bytes: Int) async throws {
    let kept = Self.cacheLimit(bytes)
    let isRight = try await onOwnThread("a thread that gives back more than it may keep") {
      // The first freed blocks are cached, and come out of the cache again in reverse order; the later ones go to the
      // system.
      let blocks = (0..<2 * kept).map { _ in Block(bytes: bytes) }
      guard blocks.allSatisfy({ $0.free() }) else { return false }
      let later = (0..<kept).map { _ in Block(bytes: bytes) }
      let areKept = later.map(\.address) == blocks.prefix(kept).map(\.address).reversed()
      return later.allSatisfy { $0.free() } && (areKept || isSanitized)
    }
    #expect(isRight)
  }

  #if os(macOS) || os(Linux)
    @Test("a thread that ends frees its pool")
    func threadEnds() async {
      // This test runs in its own process, because other tests use memory, too.
      await #expect(processExitsWith: .success) {
        func run(_ threads: Int) async throws {
          for _ in 0..<threads {
            let isWhole = try await onOwnThread("a thread that fills its pool") {
              (0..<Self.cacheLimit(Self.largest)).map { _ in Block(bytes: Self.largest) }.allSatisfy { $0.free() }
            }
            #expect(isWhole)
          }
        }
        try await run(20)
        guard let before = residentBytes() else { return }
        try await run(200)
        let after = try #require(residentBytes())
        // If all caches of these threads leaked, they would take 50 MB.
        #expect(after - before < 20 << 20)
      }
    }
  #endif

  @Test("small and large promises made on one thread and freed on another are intact")
  func promises() async {
    await race(
      rounds: 1000,
      {
        (
          large: (0..<20).map { Holder(Promise<Large, Never>(fulfilled: Large(last: $0))) },
          small: (0..<20).map { Holder(Promise<Int, Never>(fulfilled: $0)) }
        )
      },
      { for number in 0..<20 { $0.large[number].value = $0.large[19 - number].value?.map(on: .immediate) { $0 } } },
      { for number in 0..<20 { $0.small[number].value = $0.small[19 - number].value?.map(on: .immediate) { $0 } } },
      check: { round in
        for number in 0..<20 {
          let expected = max(number, 19 - number)
          if round.large[number].value?.result?.value?.last != expected { return "large promise \(number)" }
          if round.small[number].value?.result?.value != expected { return "small promise \(number)" }
        }
        return nil
      })
  }
}
