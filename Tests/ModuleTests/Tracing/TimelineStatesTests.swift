import Foundation
import OvermorrowTesting
import TestSupport
import Testing

@testable import Overmorrow
@testable import OvermorrowDiagnostics
@testable import OvermorrowTracing

/// The states of promises in a recording, and the mistakes on its page.
@Suite(.inTurn) struct TimelineStatesTests {
  private typealias Subject = Promise<Int, Flaw>

  /// Records a closure, and returns the timeline.
  private func record(_ body: () -> [any Sendable]) -> (timeline: Timeline, states: [String]) {
    let timeline = Timeline.recordedHere(body)
    return (timeline, timeline.spans.map(\.state.rawValue))
  }

  private func mistakes(_ body: () -> [any Sendable]) -> [String] {
    // The checks keep the diagnostics from printing what these tests do.
    var found: [String] = []
    _ = PromiseDiagnostics.checking { found = record(body).timeline.spans.compactMap(\.mistake) }
    return found
  }

  @Test("15.34 a recording has the outcome of each promise")
  func outcomes() {
    let (_, states) = record {
      let made = [Subject(fulfilled: 1), Subject(rejected: "no"), Subject(with: .cancelled)]
      let (promise, resolver) = Subject.makeWithResolver()
      let mapped = promise.map(on: .immediate) { $0 }
      let recovered: Promise<Int, Never> = promise.recover(on: .immediate) { _ in 1 }
      for made in made { made.catch(on: .immediate) { _ in } }
      resolver.reject(with: "no")
      mapped.catch(on: .immediate) { _ in }
      return [made, mapped, recovered]
    }
    #expect(states == ["fulfilled", "rejected", "cancelled", "rejected", "rejected", "fulfilled"])
  }

  @Test("15.34 a chain that was cancelled on purpose has no mistake")
  func cancelled() {
    let (timeline, states) = record {
      let (promise, resolver) = Subject.makeWithResolver()
      resolver.onRequestCancel(on: .immediate) { $0.cancel() }
      let step = promise.map(on: .immediate) { $0 }.map(on: .immediate) { $0 }
      step.requestCancel()
      return [resolver, step]
    }
    #expect(states == ["cancelled", "cancelled", "cancelled"])
    #expect(timeline.spans.compactMap(\.mistake) == [])
    #expect(!timeline.html.contains("<span class=\"report\">"))
  }

  @Test("15.34 a step that ends before its source resolves is not pending")
  func left() {
    let (_, states) = record {
      let (promise, resolver) = Subject.makeWithResolver()
      let timed = promise.timeout(on: .immediate, .zero)
      timed.catch(on: .immediate) { _ in }
      return [promise, resolver, timed]
    }
    #expect(states == ["pending", "rejected"])
  }

  @Test("15.34 a promise that waits when the recording stops is pending, and has no mistake")
  func pending() {
    let (timeline, states) = record {
      let (promise, resolver) = Subject.makeWithResolver()
      return [promise.map(on: .immediate) { $0 }, resolver]
    }
    #expect(states == ["pending", "pending"])
    #expect(timeline.html.contains("pending at the end\""))
    #expect(!timeline.html.contains("<span class=\"report\">"))
  }

  @Test("15.34 a dropped resolver is a mistake of its promise")
  func droppedResolver() {
    let found = mistakes { [Subject.makeWithResolver().0] }
    #expect(found.count == 1)
    #expect(found.first?.contains("released before it had resolved the promise") == true)
  }

  @Test("15.34 a cycle is a mistake of the promise that closes it")
  func cycle() {
    let found = mistakes {
      let (promise, resolver) = Subject.makeWithResolver()
      resolver.resolve(with: promise)
      return [promise]
    }
    #expect(found.count == 1)
    #expect(found.first?.contains("waits for itself") == true)
  }

  @Test("15.34 an error that no code reads is a mistake of one promise with it")
  func unobserved() {
    var timeline = Timeline([], from: .now, omitted: 0)
    let found = PromiseDiagnostics.checking {
      timeline = Timeline.recordedHere {
        _ = Subject(rejected: "no").map(on: .immediate) { $0 }
        return []
      }
    }.diagnostics
    #expect(found.count == 1)
    #expect(timeline.spans.count { $0.mistake != nil } == 1)
    #expect(timeline.html.contains("Mistake: a promise was rejected, and no code read the error: no</span>"))
    #expect(timeline.html.contains("<p>A mistake was found in 1 of the promises."))
  }

  @Test("15.28 15.34 the text of an error is escaped in its report")
  func escaping() {
    let text = "</span><script>alert(1)</script>\" onload='x"
    let log = EventLog()
    let timeline = Timeline(
      [
        event(1, .made(source: nil, origin: "App/\(text).swift:1", name: text, context: text)),
        event(1, .mistake(text)),
      ], from: log.start, omitted: 0)
    #expect(!timeline.html.contains("<script>alert"))
    #expect(!timeline.html.contains("onload='"))
    #expect(timeline.html.contains("Mistake: &#60;/span&#62;&#60;script&#62;alert(1)"))
    #expect(!timeline.json.contains("</script>"))
  }

  @Test("15.35 a page with many promises and long texts has less than 25 MB")
  func bound() {
    let text = String(repeating: "\"", count: 10_000)
    let log = EventLog()
    var events: [PromiseEvent] = []
    for number in 1...6000 {
      events += [
        event(number, .made(source: nil, origin: text, name: text, context: text)), event(number, .callbackBegins),
        event(number, .callbackEnds), event(number, .mistake(text)),
      ]
      if number > 1 { events.append(event(number - 1, .adopts(number))) }
    }
    let timeline = Timeline(events, from: log.start, omitted: 0)
    let html = timeline.html
    #expect(html.components(separatedBy: "<li>").count == 5001)
    #expect(html.contains("<p>1000 more promises are not shown.</p>"))
    #expect(html.utf8.count < 25_000_000, "\(html.utf8.count) bytes")
  }

  private func event(_ number: Int, _ kind: PromiseEvent.Kind) -> PromiseEvent {
    PromiseEvent(number: number, kind: kind, time: .now, thread: 1)
  }
}
