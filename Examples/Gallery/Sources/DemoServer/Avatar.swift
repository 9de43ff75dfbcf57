import Foundation

/// A small picture for a name: a symmetric pattern of tiles in a colour derived from the name.
///
/// The same name always gives the same picture.
package struct Avatar {
  /// The name that determines the pattern and the colours.
  package let name: String

  package init(name: String) {
    self.name = name
  }

  /// The picture as a PNG file, 128 by 128 pixels.
  package var png: Data {
    PNGEncoder.encode(canvas)
  }

  /// The side of the picture, its margin, and the side of each of its 5 by 5 tiles, in pixels.
  private enum Size {
    static let side = 128
    static let margin = 14.0
    static let tile = 20.0
    static let tiles = 5
  }

  var canvas: Canvas {
    var dice = Dice(seed: name)
    let hue = dice.roll()
    let background = Color(hue: hue, saturation: 0.45, lightness: 0.93)
    let inks = [
      Color(hue: hue, saturation: 0.55, lightness: 0.48),
      Color(hue: (hue + 0.08 + dice.roll() * 0.1).truncatingRemainder(dividingBy: 1), saturation: 0.6, lightness: 0.62),
    ]
    let corner = dice.roll() < 0.5 ? Size.tile / 2 : Size.tile / 5

    // The left half and the middle column are random, and the right half mirrors the left half.
    let half = (Size.tiles + 1) / 2
    let pattern: [Color?] = (0..<Size.tiles * half).map { _ in
      dice.roll() < 0.58 ? inks[dice.roll() < 0.7 ? 0 : 1] : nil
    }

    return Canvas(width: Size.side, height: Size.side) { x, y in
      let column = ((x - Size.margin) / Size.tile).rounded(.down)
      let row = ((y - Size.margin) / Size.tile).rounded(.down)
      let grid = 0..<Double(Size.tiles)
      guard grid ~= column, grid ~= row else { return background }

      let mirrored = min(Int(column), Size.tiles - 1 - Int(column))
      guard let ink = pattern[Int(row) * half + mirrored] else { return background }

      // A point is inside a rounded square if the part of its distance to the centre that is beyond the straight edges
      // is at most the radius of the corners.
      let centre = Size.tile / 2
      let beyondX = max(0, abs(x - Size.margin - column * Size.tile - centre) - (centre - corner))
      let beyondY = max(0, abs(y - Size.margin - row * Size.tile - centre) - (centre - corner))
      let reach = corner - 0.75
      return beyondX * beyondX + beyondY * beyondY <= reach * reach ? ink : background
    }
  }
}

/// A generator of pseudorandom numbers that depend only on a text.
private struct Dice {
  private var state: UInt64

  /// Starts from the FNV-1a hash of the text, because `Hasher` gives a different number in every run.
  init(seed: String) {
    state = seed.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Returns the next number, from 0 up to 1 (SplitMix64).
  mutating func roll() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Double(mixed >> 11) / Double(1 << 53)
  }
}
