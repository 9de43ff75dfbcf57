import TestSupport
import Testing

@testable import DemoServer

@Suite struct AvatarTests {
  @Test func `an avatar is a valid PNG of 128 by 128 pixels`() throws {
    let file = try PNGFile(Avatar(name: "Ada Lovelace").png)
    #expect(file.width == 128)
    #expect(file.height == 128)
  }

  @Test func `equal names give equal avatars, and different names different ones`() {
    #expect(Avatar(name: "Ada Lovelace").png == Avatar(name: "Ada Lovelace").png)
    let people = Person.list(of: 30)
    #expect(Set(people.map { Avatar(name: $0.name).png }).count == people.count)
  }

  @Test func `an avatar is symmetric`() {
    let canvas = Avatar(name: "Grace Hopper").canvas
    for row in 0..<canvas.height {
      let pixels = canvas.pixels[row * canvas.width..<(row + 1) * canvas.width].map(\.bytes)
      #expect(pixels == pixels.reversed())
    }
  }

  @Test func `names are numbered when the list is exhausted`() {
    let names = Person.list(of: 61).map(\.name)
    #expect(Set(names).count == 61)
    #expect(names[30] == "Ada Lovelace 2")
  }
}
