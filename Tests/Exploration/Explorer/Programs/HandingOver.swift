import Dispatch

@testable import Overmorrow

extension Program {
  static let handingOver: [Program] = [
    Program("turns of a global queue race with a spare thread") { run in
      let lane = Lane(.global(qos: .utility), number: 1)
      let slots = (1...2).map { number in lane.put(WorkItem { run.record("\(number)") }) }
      leaveSlabs()
      run.race({ for slot in slots { slot.endTurn()?.run() } }, { for _ in slots { lane.takeAny()?.run() } })
      run.expectAtEnd(inAnyOrder: ["1", "2"])
    },
    Program("turns use up a slab while another thread fills one and a spare thread runs", .narrow) { run in
      let lane = Lane(.global(qos: .utility), number: 1)
      let slots = (1...3).map { number in lane.put(WorkItem { run.record("\(number)") }) }
      leaveSlabs()
      run.thread { for slot in slots { slot.endTurn()?.run() } }
      run.thread {
        let slot = lane.put(WorkItem { run.record("4") })
        slot.endTurn()?.run()
        leaveSlabs()
      }
      run.thread { for _ in 0..<2 { lane.takeAny()?.run() } }
      run.expectAtEnd(inAnyOrder: ["1", "2", "3", "4"])
    },
    Program("work is submitted while a thread starts to block") { run in
      let lane = Lane(.global(qos: .utility), number: 1)
      let hasLooked = Permits(0)
      nonisolated(unsafe) var (isWorkFound, isHelpNeeded) = (false, false)
      run.thread {
        let slot = lane.put(WorkItem { run.record("1") })
        isHelpNeeded = SpareThreads.isAnyBlocked
        hasLooked.take()
        slot.endTurn()?.run()
        leaveSlabs()
      }
      run.thread {
        SpareThreads.blocked.add(1, ordering: .sequentiallyConsistent)
        isWorkFound = lane.isAnyWaiting
        hasLooked.give()
      }
      run.atEnd {
        SpareThreads.blocked.subtract(1, ordering: .sequentiallyConsistent)
        run.expect(
          isWorkFound || isHelpNeeded,
          "the blocking thread sees no work, and the submitting thread sees no blocked thread")
      }
      run.expectAtEnd(["1"])
    },
  ]

  /// Makes the calling thread give up its slabs, as if it had ended.
  private static func leaveSlabs() {
    let positions = unsafe Lane.key.value
    unsafe Lane.key.set(nil, end: Lane.endThread)
    unsafe Lane.endThread(positions)
  }
}
