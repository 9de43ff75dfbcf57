import Foundation
import Testing

@testable import GalleryKit

@Suite struct ContactSheetTests {
  @Test func `names and addresses are escaped in the page`() {
    let user = User(name: #"<b>"A" & 'B'</b>"#, avatar: "/1.png")
    let sheet = ContactSheet(
      source: "http://host/?a&b", outcomes: [Outcome(user: user, attempts: 1, picture: .success("avatars/001.png"))])
    #expect(!sheet.html.contains("<b>"))
    #expect(sheet.html.contains(#"alt="Avatar of &lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;""#))
    #expect(sheet.html.contains("1 of 1 pictures from http://host/?a&amp;b"))
  }

  @Test func `a missing picture has a card with the reason`() {
    let outcome = Outcome(
      user: User(name: "Ada", avatar: "x:y"), attempts: 1, picture: .failure(.notAnAddress("x:y")))
    let html = ContactSheet(source: "http://host", outcomes: [outcome]).html
    #expect(html.contains("0 of 1 pictures"))
    #expect(html.contains(#"<div class="missing" title="&#39;x:y&#39; is not the address"#))
  }
}
