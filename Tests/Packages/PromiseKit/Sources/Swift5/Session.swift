import Foundation
import PromiseKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSession {
  func dataTask(_: PMKNamespacer, with url: URL) -> Promise<(data: Data, response: URLResponse)> {
    return Promise { seal in
      dataTask(with: url) { data, response, error in
        if let data = data, let response = response { return seal.fulfill((data, response)) }
        seal.reject(error ?? PMKError.invalidCallingConvention)
      }.resume()
    }
  }
}
