import Foundation

/// A user as `/users` lists it.
struct Person: Encodable {
  let id: Int
  let name: String

  /// The path of the picture, relative to the server.
  let avatar: String

  /// Returns whether the name contains a text, ignoring case and accents.
  func nameContains(_ text: String) -> Bool {
    text.isEmpty || name.range(of: text, options: [.caseInsensitive, .diacriticInsensitive]) != nil
  }

  /// Returns `count` people, numbered from 1.
  ///
  /// When all names have been used, they are repeated with a number.
  static func list(of count: Int) -> [Person] {
    (0..<count).map { index in
      let round = index / names.count
      let name = names[index % names.count]
      return Person(
        id: index + 1, name: round == 0 ? name : "\(name) \(round + 1)", avatar: "/avatars/\(index + 1).png")
    }
  }

  private static let names = [
    "Ada Lovelace", "Alan Turing", "Grace Hopper", "Edsger Dijkstra", "Barbara Liskov", "Tony Hoare",
    "Margaret Hamilton", "Donald Knuth", "Frances Allen", "John McCarthy", "Katherine Johnson", "Dennis Ritchie",
    "Hedy Lamarr", "Ken Thompson", "Annie Easley", "Niklaus Wirth", "Radia Perlman", "Alan Kay",
    "Jean Bartik", "John Backus", "Karen Spärck Jones", "Robin Milner", "Mary Kenneth Keller", "Per Brinch Hansen",
    "Evelyn Boyd Granville", "Peter Naur", "Kathleen Booth", "Kristen Nygaard", "Adele Goldberg", "Ole-Johan Dahl",
  ]
}
