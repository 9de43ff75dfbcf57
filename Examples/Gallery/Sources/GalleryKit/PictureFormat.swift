import Foundation

/// The picture formats that a browser shows, recognised by the first bytes of a file.
enum PictureFormat: String, CaseIterable {
  case png
  case jpeg
  case gif
  case webp

  /// Creates the format of a file, or `nil` if the file is not a picture.
  init?(of file: Data) {
    guard let format = Self.allCases.first(where: { $0.begins(file) }) else { return nil }
    self = format
  }

  private func begins(_ file: Data) -> Bool {
    switch self {
    case .png: file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    case .jpeg: file.starts(with: [0xFF, 0xD8, 0xFF])
    case .gif: file.starts(with: Array("GIF8".utf8))
    case .webp: file.starts(with: Array("RIFF".utf8)) && file.dropFirst(8).starts(with: Array("WEBP".utf8))
    }
  }
}
