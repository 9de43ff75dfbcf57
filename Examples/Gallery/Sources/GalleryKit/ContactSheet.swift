/// The page that shows all pictures, with a card for each user.
struct ContactSheet {
  /// The address of the server, shown as the source of the sheet.
  let source: String

  /// The users and their pictures, in the order of the list.
  let outcomes: [Outcome]

  /// The page, which needs only the pictures beside it.
  var html: String {
    let loaded = outcomes.count { $0.failure == nil }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Gallery</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      <header>
      <h1>Gallery</h1>
      <p>\(loaded) of \(outcomes.count) pictures from \(source.escapedForHTML)</p>
      </header>
      <main>
      \(outcomes.map(card).joined(separator: "\n"))
      </main>
      </body>
      </html>

      """
  }

  private func card(_ outcome: Outcome) -> String {
    let name = outcome.user.name.escapedForHTML
    let picture =
      switch outcome.picture {
      case .success(let path):
        #"<img src="\#(path.escapedForHTML)" alt="Avatar of \#(name)">"#
      case .failure(let error):
        #"<div class="missing" title="\#(error.description.escapedForHTML)">not loaded</div>"#
      }
    return "<figure>\(picture)<figcaption>\(name)</figcaption></figure>"
  }

  private static let style = """
    :root { color-scheme: light dark; }
    body { font: 15px/1.4 system-ui, sans-serif; max-width: 1000px; margin: 2rem auto; padding: 0 1rem; }
    header p { opacity: .65; margin-top: -.5rem; }
    main { display: grid; grid-template-columns: repeat(auto-fill, minmax(140px, 1fr)); gap: 1.5rem 1rem; }
    figure { margin: 0; text-align: center; }
    img, .missing { display: grid; width: 128px; height: 128px; margin: 0 auto; border-radius: 16px; }
    img { object-fit: cover; }
    .missing { place-items: center; border: 2px dashed; opacity: .45; box-sizing: border-box; }
    figcaption { margin-top: .4rem; }
    """
}

extension String {
  /// The text, escaped for a page or an attribute.
  fileprivate var escapedForHTML: String {
    var escaped = ""
    for character in self {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
