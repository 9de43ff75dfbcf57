import Foundation
import Testing

@testable import Overmorrow

/// One allocation, and how it is divided. The numbers are pinned: who makes a core larger should know it.
@Suite(.inTurn) struct CoreLayoutTests {
  @Test("the state of a core takes eleven words, and each of its words what its box says")
  func coreState() {
    #expect(MemoryLayout<CoreState>.size == 88)
    #expect(MemoryLayout<CoreState>.stride == 88)
    #expect(MemoryLayout<CoreState>.alignment == 8)
    #expect(MemoryLayout<StateWord>.size == 8)
    #expect(MemoryLayout<RequestWord>.size == 8)
    #expect(MemoryLayout<VoteWord>.size == 4)
  }

  @Test("what the user holds is one word")
  func handles() {
    #expect(MemoryLayout<Promise<[Int], any Error>>.size == 8)
    #expect(MemoryLayout<Promise<[Int], any Error>.Resolver>.size == 8)
    #expect(MemoryLayout<Promise<Int, Never>?>.size == 8)
  }

  @Test(
    "the core lies in the promise's own allocation, right behind the object's header, and the payload behind it"
  )
  func oneAllocation() {
    let promise = Promise<Int, String>(fulfilled: 7)
    let place = Place(of: promise)
    #expect(place.state == place.object + 16)
    #expect(place.payload == place.state + UInt(MemoryLayout<CoreState>.size))
    #expect(unsafe promise.handle.core.payload.load(as: Int.self) == 7)
  }

  @Test("the payload has room for the largest of what it may hold, in the same block of memory")
  func room() {
    expectRoom(Promise<Void, Never>(fulfilled: ()), 0)
    expectRoom(Promise<UInt8, Never>(fulfilled: 1), 1)
    expectRoom(Promise<Int, String>(fulfilled: 1), 16)
    expectRoom(Promise<String, Int8>(rejected: 1), 16)
    expectRoom(Promise<Large, Never>(fulfilled: Large()), 240)
    expectRoom(Promise<Int, Large>(fulfilled: 1), 240)
    let (pending, resolver) = Promise<Large, Never>.makeWithResolver()
    expectRoom(pending, 240)
    // A step holds its callback first: two words here, and the result afterwards.
    expectRoom(pending.map(on: .immediate) { _ in UInt8(0) }, 16)
    expectRoom(pending.map(on: .immediate) { $0 }, 240)
    resolver.cancel()
  }

  @Test("a value that fills the payload to its last byte comes back whole")
  func whole() {
    let large = Large(first: 1, last: 2)
    let promise = Promise<Large, Never>(fulfilled: large)
    let mapped = promise.map(on: .immediate) { Large(first: $0.last, last: $0.first) }
    #expect(promise.result?.value == large)
    #expect(mapped.result?.value == Large(first: 2, last: 1))
  }

  @Test(
    "a value with a stricter alignment than a word lies in a box, and is as well aligned as it needs"
  )
  func strictAlignment() {
    #expect(MemoryLayout<SIMD8<Double>>.alignment > 8)
    #expect(CoreRef.isInline(Large.self) && !CoreRef.isInline(SIMD8<Double>.self))
    #expect(CoreRef.words(for: SIMD8<Double>.self) == 1)
    let value = SIMD8<Double>(1, 2, 3, 4, 5, 6, 7, 8)
    let promise = Promise<SIMD8<Double>, Never>(fulfilled: value)
    #expect(promise.map(on: .immediate) { $0 + 1 }.result?.value == value + 1)
  }

  @Test("the address of every core leaves the three lowest bits of a word free, and in fact four")
  func alignment() {
    var promises: [Promise<Int, Never>] = []
    var strings: [Promise<String, Never>] = []
    for number in 0..<1000 {
      promises.append(Promise(fulfilled: number))
      strings.append(promises[number].map(on: .immediate) { "\($0)" })
    }
    let addresses = promises.map(\.handle.core.address) + strings.map(\.handle.core.address)
    #expect(addresses.allSatisfy { $0 & StateWord.phaseMask == 0 && $0 & RequestWord.tagMask == 0 })
    #expect(addresses.allSatisfy { $0 % 16 == 0 })
    // And no address is one of the words' own marks.
    #expect(addresses.allSatisfy { $0 != 0 && $0 != StateWord.closedList })
  }

  /// Whether the payload of a promise, of so many bytes, lies in the block that the promise was allocated as.
  private func expectRoom<Value, Failure>(
    _ promise: Promise<Value, Failure>, _ bytes: UInt,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let place = Place(of: promise)
    #expect(place.state == place.object + 16, sourceLocation: sourceLocation)
    #expect(place.payload + bytes <= place.object + place.size, sourceLocation: sourceLocation)
  }

  /// Where the parts of a promise are.
  private struct Place {
    let object: UInt
    let state: UInt
    let payload: UInt
    /// The bytes that may be used from the object's address on, as far as the allocator tells.
    let size: UInt

    init<Value, Failure>(of promise: Promise<Value, Failure>) {
      object = UInt(bitPattern: promise.handle.identity)
      state = promise.handle.core.address
      payload = unsafe UInt(bitPattern: promise.handle.core.payload)
      size = Place.usableSize(object)
    }

    private static let usableSize: @Sendable (UInt) -> UInt = {
      typealias Function = @convention(c) (UInt) -> UInt
      #if canImport(Darwin)
        let name = "malloc_size"
      #else
        let name = "malloc_usable_size"
      #endif
      // Unsafe: the C library has had a function of this name and type for ever.
      guard let found = unsafe dlsym(dlopen(nil, RTLD_NOW), name) else { return { .max - $0 } }
      let function = unsafe unsafeBitCast(found, to: Function.self)
      return { function($0) }
    }()
  }

  /// Thirty words.
  private struct Large: Equatable {
    var first = 0
    var a: [Int] = [], b: [Int] = [], c: [Int] = [], d: [Int] = [], e: [Int] = [], f: [Int] = [], g: [Int] = [],
      h: [Int] = []
    var i = "", j = "", k = "", l = "", m = "", n = "", o = "", p = "", q = "", r = "", s = ""
    var last = 0
  }
}
