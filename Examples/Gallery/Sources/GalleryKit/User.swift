import Foundation

/// A user as the server lists it.
package struct User: Codable, Hashable, Sendable {
  /// The name that is shown below the picture.
  package let name: String

  /// The address of the picture: a path on the server, or a full address.
  package let avatar: String

  /// Returns the users in a server's answer.
  static func list(from answer: Data, of url: URL) throws(GalleryError) -> [User] {
    do {
      return try JSONDecoder().decode([User].self, from: answer)
    } catch {
      throw .notAList(url, reason: "expected JSON such as [{\"name\": \"Ada\", \"avatar\": \"/avatars/1.png\"}]")
    }
  }

  /// Returns the full address of the picture.
  func avatarAddress(on server: URL) throws(GalleryError) -> URL {
    guard let url = URL(string: avatar, relativeTo: server)?.absoluteURL, ["http", "https"].contains(url.scheme)
    else { throw .notAnAddress(avatar) }
    return url
  }
}
