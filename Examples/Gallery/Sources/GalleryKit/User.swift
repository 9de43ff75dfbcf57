import Foundation

/// A user as the server lists it.
package struct User: Codable, Hashable, Sendable {
  /// The name that goes below the picture.
  package let name: String

  /// Where the picture is: a path on the server, or an address of its own.
  package let avatar: String

  /// The users that a server's answer lists.
  static func list(from answer: Data, of url: URL) throws(GalleryError) -> [User] {
    do {
      return try JSONDecoder().decode([User].self, from: answer)
    } catch {
      throw .notAList(url, reason: "expected JSON such as [{\"name\": \"Ada\", \"avatar\": \"/avatars/1.png\"}]")
    }
  }

  /// The full address of the picture.
  func avatarAddress(on server: URL) throws(GalleryError) -> URL {
    guard let url = URL(string: avatar, relativeTo: server)?.absoluteURL, ["http", "https"].contains(url.scheme)
    else { throw .notAnAddress(avatar) }
    return url
  }
}
