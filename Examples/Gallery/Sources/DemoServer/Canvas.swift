/// A rectangle of opaque colours, row by row from the top left.
struct Canvas {
  let width: Int
  let height: Int
  private(set) var pixels: [Color]

  /// Paints every pixel with the average of the colours that `paint` returns for the centres of its four quarters.
  ///
  /// Four samples per pixel are enough to make round corners look smooth.
  init(width: Int, height: Int, paint: (_ x: Double, _ y: Double) -> Color) {
    self.width = width
    self.height = height
    pixels = []
    pixels.reserveCapacity(width * height)
    for row in 0..<height {
      for column in 0..<width {
        let (x, y) = (Double(column), Double(row))
        pixels.append(
          .average(
            paint(x + 0.25, y + 0.25), paint(x + 0.75, y + 0.25),
            paint(x + 0.25, y + 0.75), paint(x + 0.75, y + 0.75)))
      }
    }
  }
}

/// A colour with three channels, each from 0 to 1.
struct Color: Equatable {
  var red: Double
  var green: Double
  var blue: Double

  /// Creates a colour from its hue (in turns), saturation and lightness.
  init(hue: Double, saturation: Double, lightness: Double) {
    let reach = saturation * min(lightness, 1 - lightness)
    func channel(_ offset: Double) -> Double {
      let position = (offset + hue * 12).truncatingRemainder(dividingBy: 12)
      return lightness - reach * max(-1, min(position - 3, 9 - position, 1))
    }
    (red, green, blue) = (channel(0), channel(8), channel(4))
  }

  /// Returns the mean of four colours.
  static func average(_ a: Color, _ b: Color, _ c: Color, _ d: Color) -> Color {
    var mean = a
    mean.red = (a.red + b.red + c.red + d.red) / 4
    mean.green = (a.green + b.green + c.green + d.green) / 4
    mean.blue = (a.blue + b.blue + c.blue + d.blue) / 4
    return mean
  }

  /// The three channels in the representation of a picture file.
  var bytes: [UInt8] {
    [red, green, blue].map { UInt8((min(max($0, 0), 1) * 255).rounded()) }
  }
}
