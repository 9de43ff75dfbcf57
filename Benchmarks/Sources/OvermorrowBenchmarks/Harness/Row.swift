import ArgumentParser

/// The operations that are measured, the same for each library that has them.
enum Row: String, CaseIterable, ExpressibleByArgument {
  case a, b, c, d, e, f, g, h, i, k, l, m, n, o, p, q, r, s, t, u, v
  /// The rows of OvermorrowFlow: caches, limiters, retries, timeouts, gates, breakers, batches, limits by rate, and a stack
  /// of several parts.
  case ca, cb, cc, cd, ce, cf, cg, ch, la, lb, lc, ld, ra, rb, ta, tb, ga, gb, ba, bb, bc, bd, sa, sb, sc, st
  /// The rows d and f while trails are recorded.
  case rd, rf

  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// The number of operations in a group: the length of the chain, or the number of observers or promises.
  var group: Int {
    switch self {
    case .a, .b, .c, .l, .m, .p, .v, .cd, .ce, .cg, .la, .lb, .ld, .ra, .rb, .ta, .tb, .ga, .gb, .ba, .bd, .sa,
      .sc, .st:
      1
    case .d, .e, .f, .k, .n, .q, .r, .s, .t, .lc, .rd, .rf: 10
    case .bb, .bc, .ca, .cb, .cc, .cf, .ch, .sb: 100
    case .g, .h, .i, .o, .u: 1000
    }
  }

  var summary: String {
    switch self {
    case .a: "create a fulfilled promise and drop it"
    case .b: "create a pending promise with its resolver, fulfil it, drop both"
    case .c: "observe a resolved promise with an immediate callback"
    case .d: "one step of a 10-step map chain, immediate"
    case .e: "one step of a 10-step chain on one serial queue, waited for"
    case .f: "one step of a 10-step flatMap chain, immediate"
    case .g: "one of 1,000 observers of one promise"
    case .h: "one of 1,000 promises in when-all"
    case .i: "one callback, registered from two threads while a third resolves"
    case .k: "one step of a cancel request through a 10-step chain"
    case .l: "await the value of a resolved promise"
    case .m: "await the value of a pending promise that is then fulfilled"
    case .n: "like d, with callbacks that capture an object"
    case .o: "like g, with callbacks that capture an object"
    case .p: "like c, with callbacks that capture an object"
    case .q: "like n, with an invalidation token"
    case .r: "like n, with an owner instead of the object"
    case .s: "like d, with values of 128 bytes"
    case .t: "like d, from generic code that is not specialised"
    case .u: "like o, with observers that return no promise"
    case .v: "await the value of a promise of an async closure"
    case .ca: "ask a cache for a key that is cached, immediate"
    case .cb: "like ca, with a lifetime and a capacity"
    case .cc: "like ca, and await the value"
    case .cd: "ask a cache for a new key, whose load has its value at once"
    case .ce: "like cd, with a lifetime"
    case .cf: "await the value of a cached key, without a promise"
    case .cg: "await the value of a new key, with an async load"
    case .ch: "one of 100 tasks that await the value of a new key"
    case .la: "run a job through a limiter that has room, immediate"
    case .lb: "run an async job through a limiter that has room, and await the value"
    case .lc: "run a job through a limiter in which the job has to wait, immediate"
    case .ld: "a turn of async code in a limiter that has room"
    case .ra: "a retry whose first attempt is fulfilled at once, immediate"
    case .rb: "a retry of an async closure whose first attempt succeeds"
    case .ta: "a timeout that is not reached"
    case .tb: "call an async closure with a time limit that is not reached"
    case .ga: "start work through a gate, whose promise is fulfilled at once"
    case .gb: "call an async closure through a gate"
    case .ba: "call an async closure through a closed circuit breaker"
    case .bb: "one of 100 calls that share a batch"
    case .bc: "one of 100 tasks that await the values of a batch"
    case .bd: "start work through a closed circuit breaker, whose promise is fulfilled at once"
    case .rd: "like d, while trails are recorded"
    case .rf: "like f, while trails are recorded"
    case .sa: "call an async closure at a limited rate, with a token"
    case .sb: "like sa, with a limit for each of 100 keys"
    case .sc: "start work at a limited rate, with a token, immediate"
    case .st: "load a new key through a cache, a limiter, a retry and a time limit"
    }
  }
}
