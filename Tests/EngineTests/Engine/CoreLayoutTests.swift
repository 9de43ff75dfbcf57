import COvermorrowSystem
import Foundation
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

/// The memory layout of a core. The sizes are fixed here, so that a change that enlarges a core fails a test.
@Suite(.inTurn) struct CoreLayoutTests {
  @Test("a core's state has nine words, and a promise or resolver has one")
  func sizes() {
    #if !OVERMORROW_PLAIN
      #expect(MemoryLayout<CoreState>.size == 72)
      #expect(MemoryLayout<CoreState>.stride == 72)
    #endif
    #expect(MemoryLayout<CoreState>.alignment == 8)
    #expect(MemoryLayout<StateWord>.size == 8)
    #expect(MemoryLayout<LinkWord>.size == 8)
    #expect(MemoryLayout<VoteWord>.size == 4)
    #expect(MemoryLayout<Promise<[Int], any Error>>.size == 8)
    #expect(MemoryLayout<Promise<[Int], any Error>.Resolver>.size == 8)
    #expect(MemoryLayout<Promise<Int, Never>?>.size == 8)
  }

  @Test("the handle refers to the core, whose payload follows it in one block")
  func twoBlocks() {
    let promise = Promise<Int, String>(fulfilled: 7)
    let core = promise.handle.core
    #expect(unsafe UInt(bitPattern: core.payload) == core.address + UInt(MemoryLayout<CoreState>.size))
    #expect(unsafe core.payload.load(as: Int.self) == 7)
    let copy = promise
    #expect(copy.handle === promise.handle && copy.handle.core == core)
  }

  @Test("the payload has room for the largest of its possible contents")
  func room() {
    expectRoom(Promise<Void, Never>(fulfilled: ()), 0)
    expectRoom(Promise<UInt8, Never>(fulfilled: 1), 1)
    expectRoom(Promise<Int, String>(fulfilled: 1), 16)
    expectRoom(Promise<String, Int8>(rejected: 1), 16)
    expectRoom(Promise<Large, Never>(fulfilled: Large()), 240)
    expectRoom(Promise<Int, Large>(fulfilled: 1), 240)
    let (pending, resolver) = Promise<Large, Never>.makeWithResolver()
    expectRoom(pending, 240)
    // A step stores its callback first (two words here), and later the result in the same place.
    expectRoom(pending.map(on: .immediate) { _ in UInt8(0) }, 16)
    expectRoom(pending.map(on: .immediate) { $0 }, 240)
    resolver.cancel()
  }

  @Test("a value with stricter alignment than a word is stored in a box")
  func strictAlignment() {
    #expect(MemoryLayout<SIMD8<Double>>.alignment > 8)
    #expect(MemoryLayout<Large>.fitsPayload && !MemoryLayout<SIMD8<Double>>.fitsPayload)
    #expect(MemoryLayout<SIMD8<Double>>.payloadWords == 1)
    let value = SIMD8<Double>(1, 2, 3, 4, 5, 6, 7, 8)
    let promise = Promise<SIMD8<Double>, Never>(fulfilled: value)
    #expect(promise.map(on: .immediate) { $0 + 1 }.result?.value == value + 1)
  }

  @Test("a core's address leaves the four lowest bits of a word free")
  func alignment() {
    var promises: [Promise<Int, Never>] = []
    var strings: [Promise<String, Never>] = []
    for number in 0..<1000 {
      promises.append(Promise(fulfilled: number))
      strings.append(promises[number].map(on: .immediate) { "\($0)" })
    }
    let addresses = promises.map(\.handle.core.address) + strings.map(\.handle.core.address)
    #expect(addresses.allSatisfy { $0 & StateWord.phaseMask == 0 && $0 & LinkWord.tagMask == 0 })
    #expect(addresses.allSatisfy { $0 % 16 == 0 })
    // No address equals one of the special values of the words.
    #expect(addresses.allSatisfy { $0 != 0 && $0 != StateWord.closedList })
  }

  /// Checks that a payload of the given size in bytes fits into the core's block.
  private func expectRoom<Value, Failure>(
    _ promise: Promise<Value, Failure>, _ bytes: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let core = promise.handle.core
    let sizeClass = core.traits.sizeClass
    let needed = MemoryLayout<CoreState>.size + bytes
    #expect(sizeClass == overmorrow_size_class(needed), sourceLocation: sourceLocation)
    if sizeClass == 0 { #expect(Self.usableSize(core.address) >= needed, sourceLocation: sourceLocation) }
  }

  /// The usable size in bytes of a block that `malloc` has returned, as far as the allocator reports it.
  private static let usableSize: @Sendable (UInt) -> Int = {
    typealias Function = @convention(c) (UInt) -> Int
    #if canImport(Darwin)
      let name = "malloc_size"
    #else
      let name = "malloc_usable_size"
    #endif
    // Unsafe: this function of the C library has always had this name and type.
    guard let found = unsafe dlsym(dlopen(nil, RTLD_NOW), name) else { return { _ in .max } }
    let function = unsafe unsafeBitCast(found, to: Function.self)
    return { function($0) }
  }()
}

/// Thirty words. The core of a promise of this type exceeds the largest size class.
struct Large: Equatable, Sendable {
  var first = 0
  var a = "", b = "", c = "", d = "", e = "", f = "", g = "", h = "", i = "", j = "", k = "", l = "", m = "", n = ""
  var last = 0
}
