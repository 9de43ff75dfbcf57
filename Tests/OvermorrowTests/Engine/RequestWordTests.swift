import Testing

@testable import Overmorrow

@Suite(.inTurn) struct RequestWordTests {
  static let upstream: UInt = 64
  static let handlers: UInt = 128
  static let stillWaiting = RequestWord.asked(upstream)
  static let beingTold = RequestWord(bits: upstream | RequestWord.Kind.asking.rawValue)
  /// One word for each state that can last.
  static let lasting = [
    RequestWord.nobody, .upstream(upstream), .handlers(handlers), .asked, stillWaiting, beingTold, .closed,
  ]
  static let unasked = [RequestWord.nobody, .upstream(upstream), .handlers(handlers)]

  static func borrowed(_ word: RequestWord) -> RequestWord {
    RequestWord(bits: word.bits | RequestWord.borrowedBit)
  }

  @Test("layout: the kind, the address and the mark of borrowing do not disturb one another")
  func layout() {
    for kind in [RequestWord.Kind.upstream, .asked, .handlers, .asking] {
      for address in [8, UInt.max & ~15] {
        for isBorrowed in [false, true] {
          let word = RequestWord(bits: address | kind.rawValue | (isBorrowed ? 0b100 : 0))
          #expect(word.kind == kind && word.address == address && word.isBorrowed == isBorrowed)
        }
      }
    }
    #expect(RequestWord.nobody.bits == 0 && RequestWord.nobody.kind == .upstream)
    #expect(RequestWord.asked.kind == .asked && RequestWord.asked.isAsked)
    #expect(RequestWord.closed.kind == .closed && RequestWord.closed.address == 0 && !RequestWord.closed.isBorrowed)
    #expect(Self.lasting.filter(\.isAsked) == [.asked, Self.stillWaiting, Self.beingTold])
  }

  @Test("asking marks the word; it lends the count on the upstream core, or takes the handlers out")
  func asking() {
    #expect(RequestWord.nobody.asking() == (.asked, .nothing))
    #expect(RequestWord.upstream(Self.upstream).asking() == (Self.beingTold, .tellUpstream(Self.upstream)))
    #expect(RequestWord.handlers(Self.handlers).asking() == (.asked, .runHandlers(Self.handlers)))
    for seen in [0, 64] as [UInt] {
      let word = RequestWord.handlers(Self.handlers)
      #expect(
        word.asking(havingLookedAt: seen, thatKeep: Self.upstream) == (word, .lookAtHandlers),
        "these have not been looked at")
      #expect(RequestWord.nobody.asking(havingLookedAt: seen, thatKeep: Self.upstream) == (.asked, .nothing))
    }
    #expect(
      RequestWord.handlers(Self.handlers).asking(havingLookedAt: Self.handlers, thatKeep: Self.upstream)
        == (Self.stillWaiting, .runHandlers(Self.handlers)))
  }

  @Test("told, the core stays in the word without a vote; its count is the asker's if it has been taken out")
  func told() {
    #expect(Self.beingTold.told(Self.upstream) == (Self.stillWaiting, .nothing))
    for word in [RequestWord.asked, .asked(192), .closed, .nobody] {
      #expect(word.told(Self.upstream) == (word, .releaseUpstream(Self.upstream)))
    }
  }

  @Test("asking is refused silently by what has been asked, and by what is closed")
  func askingAgain() {
    for word in [RequestWord.asked, Self.stillWaiting, Self.beingTold, .closed] {
      #expect(word.asking() == (word, .nothing))
    }
  }

  @Test("attaching takes a free place, asked or not, and no other")
  func attaching() {
    #expect(RequestWord.nobody.attaching(192) == (.upstream(192), .nothing))
    #expect(RequestWord.asked.attaching(192) == (RequestWord(bits: 192 | 0b01), .tellAtOnce))
    #expect(RequestWord.closed.attaching(192) == (.closed, .refused))
    for word in [RequestWord.upstream(Self.upstream), .handlers(Self.handlers), Self.stillWaiting, Self.beingTold] {
      #expect(word.attaching(192) == (word, .occupied(word.address)))
    }
  }

  @Test("detaching takes that very core out, and says whether its vote is still there")
  func detaching() {
    #expect(
      RequestWord.upstream(Self.upstream).detaching(Self.upstream) == (
        .nobody, .forgetUpstream(Self.upstream)
      ))
    #expect(Self.stillWaiting.detaching(Self.upstream) == (.asked, .releaseUpstream(Self.upstream)))
    #expect(Self.beingTold.detaching(Self.upstream) == (.asked, .nothing))
    for word in Self.lasting { #expect(word.detaching(192) == (word, .nothing)) }
    // An address of a handler is none of a core.
    #expect(RequestWord.handlers(64).detaching(64) == (.handlers(64), .nothing))
  }

  @Test("adding puts a handler in front of the others, and is told what to do where it cannot")
  func adding() {
    #expect(RequestWord.nobody.adding(192) == (.handlers(192), .linked(0)))
    #expect(
      RequestWord.handlers(Self.handlers).adding(192) == (.handlers(192), .linked(Self.handlers)))
    #expect(
      RequestWord.upstream(Self.upstream).adding(192) == (
        .upstream(Self.upstream), .occupied(Self.upstream)
      ))
    #expect(RequestWord.asked.adding(192) == (.asked, .tellAtOnce))
    #expect(Self.stillWaiting.adding(192) == (Self.stillWaiting, .tellAtOnce))
    #expect(Self.beingTold.adding(192) == (Self.beingTold, .tellAtOnce))
    #expect(RequestWord.closed.adding(192) == (.closed, .refused))
  }

  @Test("closing hands out whatever is there, and says what it was")
  func closing() {
    #expect(RequestWord.nobody.closing() == (.closed, .nothing))
    #expect(
      RequestWord.upstream(Self.upstream).closing() == (.closed, .forgetUpstream(Self.upstream)))
    #expect(
      RequestWord.handlers(Self.handlers).closing() == (.closed, .discardHandlers(Self.handlers)))
    #expect(RequestWord.asked.closing() == (.closed, .nothing))
    #expect(Self.stillWaiting.closing() == (.closed, .releaseUpstream(Self.upstream)))
    #expect(Self.beingTold.closing() == (.closed, .nothing))
    #expect(RequestWord.closed.closing() == (.closed, .nothing))
  }

  @Test("replacing turns that very upstream core, with its vote, into a handler, and nothing else")
  func replacing() {
    #expect(
      RequestWord.upstream(Self.upstream).replacing(Self.upstream, by: 192) == (
        .handlers(192), .linked(0)
      ))
    for word in Self.lasting where word != .upstream(Self.upstream) {
      #expect(word.replacing(Self.upstream, by: 192) == (word, .refused))
    }
    #expect(RequestWord.upstream(Self.upstream).replacing(72, by: 192).action == .refused)
  }

  @Test("borrowing marks what is there, and is refused where there is nothing")
  func borrowing() {
    for word in [RequestWord.upstream(Self.upstream), .handlers(Self.handlers), Self.stillWaiting, Self.beingTold] {
      #expect(word.borrowing() == Self.borrowed(word))
    }
    for word in [RequestWord.nobody, .asked, .closed] { #expect(word.borrowing() == nil) }
  }

  @Test("R4 while the word is borrowed, nobody takes anything out of it, but a core can be asked and told")
  func waiting() {
    for word in [RequestWord.upstream(Self.upstream), Self.stillWaiting, Self.beingTold].map(Self.borrowed) {
      #expect(word.detaching(Self.upstream) == (word, .wait))
      #expect(word.closing() == (word, .wait))
      #expect(word.attaching(192) == (word, .occupied(Self.upstream)))
    }
    let handlers = Self.borrowed(.handlers(Self.handlers))
    #expect(handlers.asking() == (handlers, .wait))
    #expect(handlers.adding(192) == (handlers, .wait))
    #expect(handlers.closing() == (handlers, .wait))
    let upstream = Self.borrowed(.upstream(Self.upstream))
    #expect(upstream.replacing(Self.upstream, by: 192) == (upstream, .wait))
    #expect(upstream.asking() == (Self.borrowed(Self.beingTold), .tellUpstream(Self.upstream)))
    #expect(Self.borrowed(Self.beingTold).told(Self.upstream) == (Self.borrowed(Self.stillWaiting), .nothing))
  }
}
