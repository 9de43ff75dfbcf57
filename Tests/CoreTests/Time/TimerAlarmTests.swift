internal import OvermorrowEngine
import Testing

@testable import Overmorrow

/// The alarms that wake the timer queue, on a machine that sleeps.
@Suite(.inTurn) struct TimerAlarmTests {
  private let machine = SimulatedMachine()
  private let queue: TimerQueue

  init() { queue = TimerQueue(alarm: machine, now: { [machine] in machine.now }) }

  /// Schedules a timer, and returns a recorder of the delay with which it fires.
  private func schedule(after delay: Duration) -> Recorder<Duration> {
    let (log, deadline) = (Recorder<Duration>(), machine.now.advanced(by: delay))
    _ = queue.schedule(at: deadline) { [machine] in log.record(deadline.duration(to: machine.now)) }
    return log
  }

  @Test("6.14 a timer is on time and wakes the system at most twice")
  func awake() {
    let log = schedule(after: .seconds(6))
    machine.run(for: .seconds(5.9))
    #expect(log.entries.isEmpty)
    machine.run(for: .seconds(3600))
    #expect(log.entries == [.zero])
    // Once for the timer, and at most once for the alarm that detects sleep.
    #expect(machine.rings <= 2)
  }

  @Test("6.14 a timer due during sleep fires within a second after it")
  func sleeps() {
    for delay in [Duration.seconds(6), .seconds(1), .milliseconds(999), .seconds(3600)] {
      let log = schedule(after: delay)
      machine.run(for: .milliseconds(500))
      machine.sleep(for: .seconds(7200))
      machine.run(for: .seconds(1))
      #expect(log.entries.count == 1, "\(delay)")
    }
  }

  @Test("6.14 a sleep during a wait makes a timer at most a second late")
  func sleepsInBetween() throws {
    let log = schedule(after: .seconds(60))
    machine.run(for: .seconds(10))
    machine.sleep(for: .seconds(40))
    machine.run(for: .seconds(9))
    #expect(log.entries.isEmpty)
    machine.run(for: .seconds(2))
    let lateness = try #require(log.entries.first)
    #expect(lateness >= .zero && lateness <= .seconds(1))
  }

  @Test("6.14 a timer set during another timer's wait also fires after a sleep")
  func several() {
    let (long, short) = (schedule(after: .seconds(3600)), schedule(after: .milliseconds(10)))
    machine.run(for: .seconds(1))
    #expect(short.entries == [.zero])
    let later = schedule(after: .seconds(20))
    machine.sleep(for: .seconds(600))
    machine.run(for: .seconds(1))
    #expect(later.entries.count == 1)
    #expect(long.entries.isEmpty)
    machine.sleep(for: .seconds(7200))
    machine.run(for: .seconds(1))
    #expect(long.entries.count == 1)
    #expect(queue.count == 0)
  }

  @Test("6.14 setting the time of day forward or back makes no timer early or late")
  func timeOfDay() {
    for change in [Duration.seconds(-86_400), .seconds(86_400)] {
      let log = schedule(after: .seconds(60))
      machine.run(for: .seconds(10))
      machine.moveTimeOfDay(by: change)
      machine.run(for: .seconds(49))
      #expect(log.entries.isEmpty)
      machine.run(for: .seconds(1))
      #expect(log.entries == [.zero])
    }
    #expect(machine.rings <= 6)
  }

  @Test("6.14 timers due together are removed in batches, and a cancelled one does not fire")
  func batches() {
    let deadline = machine.now.advanced(by: .seconds(1))
    let left = Recorder<Int>()
    let last = Holder<TimerEntry<ContinuousClock.Instant>>()
    for number in 0..<1000 {
      _ = queue.schedule(at: deadline) { [queue] in
        left.record(queue.count)
        if number == 0, let last = last.value { queue.cancel(last) }
      }
    }
    last.value = queue.schedule(at: deadline) { left.record(-1) }
    machine.run(for: .seconds(1))
    #expect(left.entries.count == 1000)
    #expect(left.entries.first.map { $0 >= 900 } == true)
    #expect(left.entries.last == 0)
  }

  @Test("6.14 both alarms of Dispatch fire, and can be set again")
  func dispatch() async {
    for isAwake in [true, false] {
      let (rung, alarm) = (Latch(), DispatchAlarm())
      alarm.start { rung.signal() }
      for wait in [Duration.longestWait, .milliseconds(5)] {
        if isAwake { alarm.set(awake: wait) } else { alarm.set(timeOfDay: wait) }
      }
      await rung.wait(for: "the alarm")
      withExtendedLifetime(alarm) {}
    }
  }
}
