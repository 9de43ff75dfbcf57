package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

extension HTTPURLResponse {
  /// Creates a response. The values of a field that occurs several times are joined, however its name is spelled.
  ///
  /// Foundation on Linux keeps the values of one spelling only, and chooses the spelling at random.
  package convenience init?(url: URL, status: Int, fields: [(name: String, value: String)]) {
    var joined: [String: (name: String, value: String)] = [:]
    for (name, value) in fields {
      let earlier = joined[name.lowercased()]
      joined[name.lowercased()] = (earlier?.name ?? name, earlier.map { "\($0.value), \(value)" } ?? value)
    }
    let headers = Dictionary(uniqueKeysWithValues: joined.values.map { ($0.name, $0.value) })
    self.init(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
  }
}
