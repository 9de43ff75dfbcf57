import Foundation
import Testing

@testable import GalleryKit

@Suite struct UserTests {
  private let server: URL

  init() throws {
    server = try #require(URL(string: "http://host:8080/api/"))
  }

  @Test func `a list of users is read, ignoring unknown keys`() throws {
    let json = Data(#"[{"id": 7, "name": "Ada", "avatar": "/avatars/1.png", "age": 36}]"#.utf8)
    #expect(try User.list(from: json, of: server) == [User(name: "Ada", avatar: "/avatars/1.png")])
  }

  @Test(arguments: ["", "<html>", "{}", #"[{"name": "Ada"}]"#])
  func `other JSON is an error that describes the expected list`(answer: String) throws {
    let error = #expect(throws: GalleryError.self) { try User.list(from: Data(answer.utf8), of: server) }
    let message = try #require(error).description
    #expect(message.hasPrefix("http://host:8080/api/ is not a list of users: expected JSON such as "))
  }

  @Test(arguments: [
    ("/avatars/1.png", "http://host:8080/avatars/1.png"),
    ("avatars/1.png", "http://host:8080/api/avatars/1.png"),
    ("https://elsewhere/1.png", "https://elsewhere/1.png"),
  ])
  func `a picture's address may be on any web server`(avatar: String, address: String) throws {
    #expect(try User(name: "Ada", avatar: avatar).avatarAddress(on: server).absoluteString == address)
  }

  @Test(arguments: ["file:///etc/passwd", "data:image/png;base64,AAAA", "javascript:alert(1)"])
  func `a picture's address may not have another scheme`(avatar: String) {
    #expect(throws: GalleryError.notAnAddress(avatar)) {
      try User(name: "Ada", avatar: avatar).avatarAddress(on: server)
    }
  }
}
