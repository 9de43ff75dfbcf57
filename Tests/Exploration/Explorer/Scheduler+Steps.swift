import Overmorrow

@testable import OvermorrowEngine

/// The effect of a step: the value that it sees, the knowledge that the thread gains, and the events that the step
/// depends on.
extension Scheduler {
  func take(_ access: Access, _ location: Location) -> Access.Effect {
    let thread = current
    let order = Mutation.order(of: access)
    // Through the reference count, a `deinit` knows everything that the previous users of the object know.
    if access.site.isEnd { workers[thread].known.join(location.users) }
    let cell = location.cell
    if cell.made > workers[thread].known[cell.maker], !isIdle {
      fail("\(trace.name(location)) was made by \(name(cell.maker)), which \(name(thread)) does not know")
    }
    // Choose the value that the step sees.
    var index = location.newest
    var floor = index
    var effect = access.effect(on: location.value)
    let isLoad = access.kind == .load
    let isExchange = access.kind == .compareExchange || access.kind == .weakCompareExchange
    if index > 0, thread != 0, !isIdle, isLoad || isExchange {
      floor = location.floor(
        workers[thread].known,
        isInTotalOrder: (isLoad ? order.success : order.failure) == .sequentiallyConsistent)
      if floor < index {
        index = choose(access, location, from: floor)
        if index != location.newest { effect = access.effect(on: location.messages[index].value) }
      }
    }
    let seen = location.messages[index]
    let writes = isExchange ? effect.isDone : !isLoad
    let used = isExchange && !effect.isDone ? order.failure : order.success
    // Only the last thread to decrement needs the knowledge of the others, so the order of the decrements does not
    // matter.
    let counts = location.isCount && (access.kind == .add || access.kind == .subtract) && effect.new != 0
    // After the end of a core, a thread may still read its count, to check whether it is zero. It may not change the count
    // or use another word of the core.
    if location.cell.isEnded, writes || !location.isCount {
      fail("\(trace.name(location)) is \(writes ? "changed" : "read") after its end")
    }
    // Happens-before.
    if used.acquires, !counts { workers[thread].known.join(seen.published) }
    let time = workers[thread].known[thread]
    if !writes || access.kind != .store {
      location.note(index, seenBy: thread, at: time, isInTotalOrder: used == .sequentiallyConsistent)
    }
    // Dependent events.
    let event = isIdle || thread == 0 ? -1 : note(access.kind, location, index, floor, writes: writes, counts: counts)
    if writes {
      var published = used.releases ? workers[thread].known : .zero
      // A read-modify-write continues a release sequence, so it publishes the earlier value's knowledge too; a plain
      // store does not.
      if access.kind != .store { published.join(seen.published) }
      location.messages.append(
        Location.Message(value: effect.new, writer: thread, time: time, published: published, event: event))
      location.note(location.newest, seenBy: thread, at: time, isInTotalOrder: used == .sequentiallyConsistent)
    }
    location.users.join(workers[thread].known)
    workers[thread].known[thread] += 1
    if !isIdle {
      trace.note(thread, access, location, effect, used, stale: writes ? 0 : location.newest - index)
      if event >= 0 { wake(location, writes: writes, counts: counts) }
    }
    return effect
  }

  /// Chooses the message that a load or a failing compare-exchange sees.
  private func choose(_ access: Access, _ location: Location, from floor: Int) -> Int {
    let newest = location.newest
    if access.kind == .load { return newest - search.chooseValue(of: newest - floor + 1) }
    var able = [newest]
    for index in stride(from: newest - 1, through: floor, by: -1)
    where location.messages[index].value != access.expected { able.append(index) }
    return able.count == 1 ? newest : able[search.chooseValue(of: able.count)]
  }

  /// Adds a step to the order of dependent events, and requests the opposite order of each pair of events that race.
  private func note(
    _ kind: Access.Kind, _ location: Location, _ index: Int, _ floor: Int, writes: Bool, counts: Bool
  ) -> Int {
    let thread = current
    let before = workers[thread].past
    var past = before
    var races = SIMD8<Int32>(repeating: -1)
    func meet(_ earlier: Int, _ slot: Int, _ mayRace: Bool) {
      guard earlier >= 0 else { return }
      let event = events[earlier]
      if mayRace, event.thread != thread, before[event.thread] < event.stamp { races[slot] = Int32(earlier) }
      past.join(event.clock)
    }
    if location.isCount, !writes, index == location.newest {
      // If it could have seen an older value, seeing that value stands for coming before the newest ones.
      for other in 1...3 { meet(Int(location.counts[other]), 4 + other, index == floor) }
    }
    if kind == .load {
      // If it could have seen an older value, seeing that value stands for coming earlier.
      meet(location.messages[index].event, 0, index == floor)
    } else if !writes {
      meet(location.messages[index].event, 0, false)
      if index == location.newest {
        meet(location.lastChange, 1, true)
      } else if location.lastChange >= 0 {
        let event = events[location.lastChange]
        if event.thread != thread, before[event.thread] < event.stamp { races[1] = Int32(location.lastChange) }
      }
    } else if counts {
      meet(location.lastOther, 0, true)
      for other in 1...3 { meet(Int(location.reads[other]), 1 + other, true) }
      if kind == .subtract { meetCounts(at: location, leaving: location.value - 1, before, meet) }
    } else {
      if location.isCount { for other in 1...3 { meet(Int(location.counts[other]), 4 + other, true) } }
      if kind == .take { meet(location.lastTake, 0, true) }
      meet(location.lastChange, 1, kind != .take)
      for other in 1...3 { meet(Int(location.reads[other]), 1 + other, true) }
    }
    past[thread] += 1
    workers[thread].past = past
    let event = Event(thread: thread, clock: past, node: node)
    for slot in 0..<8 where races[slot] >= 0 { search.reverse(Int(races[slot]), event, in: events) }
    let number = events.count
    events.append(event)
    if writes, counts {
      location.lastChange = number
      location.counts[thread] = Int32(number)
      if kind == .add { location.added.append(number) }
    } else if writes {
      location.lastChange = number
      location.lastOther = number
      location.counts = SIMD4(repeating: -1)
      location.added.removeAll(keepingCapacity: true)
      location.reads = SIMD4(repeating: -1)
      if kind == .take { location.lastTake = number }
    } else {
      location.reads[thread] = Int32(number)
    }
    return number
  }

  /// A decrement commutes with increments only if the count could not have reached zero before.
  private func meetCounts(
    at location: Location, leaving value: UInt64, _ before: Clock, _ meet: (Int, Int, Bool) -> Void
  ) {
    let others = location.added.count { number in
      let event = events[number]
      return event.thread != current && before[event.thread] < event.stamp
    }
    guard value <= others else { return }
    for other in 1...3 where other != current { meet(Int(location.counts[other]), 4 + other, true) }
  }

  /// Wakes the sleeping threads whose next access depends on the step.
  private func wake(_ location: Location, writes: Bool, counts: Bool) {
    guard search.sleeping != 0 else { return }
    for worker in 1...3 where search.sleeping & (1 << UInt8(worker)) != 0 {
      guard worker != current, let access = workers[worker].access else { continue }
      guard workers[worker].location === location else { continue }
      if counts, access.kind == .add || access.kind == .subtract && location.value > 1 { continue }
      if writes || access.kind != .load {
        search.sleeping &= ~(1 << UInt8(worker))
      }
    }
  }
}
