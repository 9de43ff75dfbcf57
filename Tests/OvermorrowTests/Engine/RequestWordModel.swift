@testable import Overmorrow

/// What can happen to a request word. Cores and handlers come one after the other, and are named by their numbers.
enum RequestEvent: Hashable {
  case ask
  /// The asker withdraws the vote and says so; or it puts back the core that the handlers had a vote on.
  case told
  case attach
  case detach(Int)
  case add
  /// The upstream core becomes a handler.
  case replace
  case close
  case borrow, giveBack
}

/// A request word beside a naive account of everything that was ever offered to it.
struct RequestModel: Hashable {
  enum Vote: Hashable { case held, withdrawn, forgotten }
  enum Count: Hashable { case inWord, inHandler, withRunner, released }
  struct Core: Hashable {
    var vote = Vote.held
    var count: Count
  }
  enum Handler: Hashable { case waiting, ran, discarded, refused }
  /// A node in the list of handlers.
  enum Node: Hashable {
    case handler(Int)
    case core(Int)
  }

  /// The word under test, and the links that it asked the handlers to keep.
  private var bits = RequestWord.nobody.bits
  var word: RequestWord {
    get { RequestWord(bits: bits) }
    set { bits = newValue.bits }
  }
  var links: [UInt: UInt] = [:]

  // The account.
  var isAsked = false
  var isClosed = false
  var cores: [Core] = []
  var handlers: [Handler] = []
  /// The list of handlers, in the order of registration, with the addresses under which they are known.
  var nodes: [Node] = []
  var nodeCount: UInt = 0
  var isBorrowed = false
  /// The core that the asker is about to tell, with the word's count, or took out with the handlers.
  var told: Int?
  var isAsking: Bool { told != nil }
  /// Whether the core that the asker has to tell came with handlers.
  var wasWithHandlers = false
  var mistake: String?

  static func address(ofCore core: Int) -> UInt { UInt(core + 1) * 64 }
  static func core(at address: UInt) -> Int { Int(address / 64) - 1 }
  /// Handlers live elsewhere than cores.
  private static let firstNode: UInt = 1 << 20

  /// The core that is in the word itself, with or without its vote.
  var coreInWord: Int? { cores.firstIndex { $0.count == .inWord } }

  var expected: RequestWord {
    let borrowed = isBorrowed ? RequestWord.borrowedBit : 0
    if isClosed { return .closed }
    let address = coreInWord.map(Self.address) ?? 0
    if isAsked {
      let kind = coreInWord != nil && coreInWord == told ? RequestWord.Kind.asking : .asked
      return RequestWord(bits: address | kind.rawValue | borrowed)
    }
    if nodes.isEmpty { return RequestWord(bits: address | borrowed) }
    return RequestWord(bits: RequestWord.handlers(lastNode).bits | borrowed)
  }

  private var lastNode: UInt { Self.firstNode + (nodeCount - 1) * 64 }

  mutating func check(_ isRight: Bool, _ what: String) { if !isRight { mistake = what } }

  /// What follows an event, or `nil` where it cannot happen. At most so many cores and handlers come.
  func after(_ event: RequestEvent, offering most: Int) -> RequestModel? {
    var next = self
    if isBorrowed, event == .borrow || waits(event) { return nil }
    switch event {
    case .ask: next.ask()
    case .told:
      guard let told else { return nil }
      next.finishAsking(told)
    case .attach:
      // A core waits for one at a time. Another is offered to no word but one that is occupied.
      let isFree = cores.allSatisfy { $0.count == .released || $0.count == .withRunner && !wasWithHandlers }
      guard cores.count < most, isFree || coreInWord != nil || !nodes.isEmpty else { return nil }
      next.attach()
    case .detach(let core):
      guard core < cores.count else { return nil }
      next.detach(core)
    case .add:
      guard handlers.count < most else { return nil }
      next.add()
    case .replace:
      guard let core = coreInWord else { return nil }
      next.replace(core)
    case .close: next.close()
    case .borrow:
      let new = word.borrowing()
      guard let new else { return nil }
      next.word = new
      next.isBorrowed = true
    case .giveBack:
      guard isBorrowed else { return nil }
      next.word = RequestWord(bits: bits & ~RequestWord.borrowedBit)
      next.isBorrowed = false
    }
    next.check(
      next.word == next.expected, "the word is \(next.word.bits), not \(next.expected.bits)")
    return next
  }

  /// Whether the word tells to wait for the one who has borrowed it, and does not change.
  private func waits(_ event: RequestEvent) -> Bool {
    let change: (word: RequestWord, action: RequestWord.Action)? =
      switch event {
      case .ask: word.asking()
      case .detach(let core): word.detaching(Self.address(ofCore: core))
      case .add: word.adding(Self.firstNode + nodeCount * 64)
      case .replace: coreInWord.map { word.replacing(Self.address(ofCore: $0), by: Self.firstNode + nodeCount * 64) }
      case .close: word.closing()
      case .attach, .told, .borrow, .giveBack: nil
      }
    return change?.action == .wait && change?.word == word
  }

  private mutating func ask() {
    let (new, action) = word.asking()
    word = new
    if isAsked || isClosed { return check(action == .nothing, "asking again said \(action)") }
    isAsked = true
    if let core = coreInWord {
      check(action == .tellUpstream(Self.address(ofCore: core)), "asking said \(action)")
      told = core
    } else if nodes.isEmpty {
      check(action == .nothing, "asking nobody said \(action)")
    } else {
      guard case .runHandlers(let address) = action else {
        return check(false, "asking handlers said \(action)")
      }
      for node in take(address) { tell(node) }
    }
  }

  private mutating func finishAsking(_ core: Int) {
    told = nil
    withdraw(core)
    let address = Self.address(ofCore: core)
    if wasWithHandlers {
      // The asker has a count of its own, to be put into the word.
      wasWithHandlers = false
      let (new, action) = word.attaching(address)
      word = new
      if action == .tellAtOnce {
        cores[core].count = .inWord
      } else {
        check(isClosed, "the core was not taken back: \(action)")
        release(core)
      }
      return
    }
    let (new, action) = word.told(address)
    word = new
    if cores[core].count == .inWord {
      check(action == .nothing, "told, the word said \(action)")
    } else {
      check(action == .releaseUpstream(address), "told too late, the word said \(action)")
      release(core)
    }
  }

  private mutating func tell(_ node: Node) {
    switch node {
    case .handler(let handler): end(handler, as: .ran)
    case .core(let core):
      cores[core].count = .withRunner
      wasWithHandlers = true
      told = core
    }
  }

  private mutating func withdraw(_ core: Int) {
    check(cores[core].vote == .held, "a vote was withdrawn that had gone")
    cores[core].vote = .withdrawn
  }

  private mutating func forget(_ core: Int) {
    check(cores[core].vote == .held, "a vote was forgotten that had gone")
    cores[core].vote = .forgotten
    release(core)
  }

  private mutating func release(_ core: Int) {
    check(cores[core].count != .released, "a core was released twice")
    cores[core].count = .released
  }

  private mutating func end(_ handler: Int, as end: Handler) {
    check(handlers[handler] == .waiting, "a handler was \(end) after it was \(handlers[handler])")
    handlers[handler] = end
  }

  private mutating func attach() {
    let core = cores.count
    let (new, action) = word.attaching(Self.address(ofCore: core))
    switch action {
    case .nothing:
      check(!isAsked && !isClosed, "attaching was silent")
      cores.append(Core(count: .inWord))
    case .tellAtOnce:
      check(isAsked && !isClosed, "attaching was told at once")
      cores.append(Core(vote: .withdrawn, count: .inWord))
    case .refused:
      check(isClosed, "attaching was refused")
      return
    case .occupied:
      check(coreInWord != nil || !nodes.isEmpty, "an empty place was occupied")
      return check(new == word, "the word changed though it was occupied")
    default: return check(false, "attaching said \(action)")
    }
    word = new
  }

  private mutating func detach(_ core: Int) {
    let address = Self.address(ofCore: core)
    let (new, action) = word.detaching(address)
    word = new
    guard coreInWord == core else {
      return check(action == .nothing, "detaching another said \(action)")
    }
    if told == core {
      cores[core].count = .withRunner
      return check(action == .nothing, "detaching what is being told said \(action)")
    }
    switch action {
    case .forgetUpstream(address): forget(core)
    case .releaseUpstream(address):
      check(cores[core].vote != .held, "a core was released with its vote")
      release(core)
    default: check(false, "detaching said \(action)")
    }
  }

  private mutating func add() {
    let node = Self.firstNode + nodeCount * 64
    let (new, action) = word.adding(node)
    switch action {
    case .linked(let behind):
      check(!isAsked && !isClosed && coreInWord == nil, "a handler was taken")
      check(behind == (nodes.isEmpty ? 0 : lastNode), "a handler was linked to \(behind)")
      links[node] = behind
      nodes.append(.handler(handlers.count))
      handlers.append(.waiting)
      nodeCount += 1
    case .tellAtOnce:
      check(isAsked && !isClosed, "a handler was told at once")
      handlers.append(.ran)
    case .refused:
      check(isClosed, "a handler was refused")
      handlers.append(.refused)
    case .occupied(let address):
      check(coreInWord.map(Self.address) == address, "occupied by \(address)")
    default: check(false, "adding said \(action)")
    }
    word = new
  }

  private mutating func replace(_ core: Int) {
    let node = Self.firstNode + nodeCount * 64
    let (new, action) = word.replacing(Self.address(ofCore: core), by: node)
    guard !isAsked else {
      return check(action == .refused && new == word, "a core without a vote became a handler")
    }
    check(action == .linked(0), "replacing said \(action)")
    word = new
    cores[core].count = .inHandler
    links[node] = 0
    nodes = [.core(core)]
    nodeCount += 1
  }

  private mutating func close() {
    let (new, action) = word.closing()
    word = new
    if let core = coreInWord, told == core {
      cores[core].count = .withRunner
      isClosed = true
      return check(action == .nothing, "closing what is being told said \(action)")
    }
    switch action {
    case .nothing: check(coreInWord == nil && nodes.isEmpty, "closing forgot something")
    case .forgetUpstream(let address): forget(Self.core(at: address))
    case .releaseUpstream(let address):
      check(cores[Self.core(at: address)].vote != .held, "a core was released with its vote")
      release(Self.core(at: address))
    case .discardHandlers(let address):
      for node in take(address) {
        switch node {
        case .handler(let handler): end(handler, as: .discarded)
        case .core(let core): forget(core)
        }
      }
    default: check(false, "closing said \(action)")
    }
    isClosed = true
  }

  /// The nodes of a list that was taken out of the word, in the order of registration.
  private mutating func take(_ address: UInt) -> [Node] {
    var addresses: [UInt] = []
    var address = address
    while address != 0, addresses.count <= nodes.count {
      addresses.append(address)
      address = links[address] ?? 0
    }
    check(
      addresses.count == nodes.count, "\(addresses.count) of \(nodes.count) handlers were found")
    defer { nodes = [] }
    return nodes
  }
}
