import Foundation
import Overmorrow
import OvermorrowEngine
import OvermorrowTesting
import TestSupport
import Testing

@testable import OvermorrowTracing

@Suite(.inTurn) struct PromiseRecordingTests {
  private typealias Subject = Promise<Int, Flaw>

  /// Returns the trace events of the promises that were made on these lines.
  private func events(_ recording: PromiseRecording, on lines: ClosedRange<Int>) throws -> [[String: Any]] {
    let all = try JSONSerialization.jsonObject(with: Data(recording.json.utf8)) as? [String: Any]
    let events = all?["traceEvents"] as? [[String: Any]] ?? []
    return events.filter { event in
      let place = (event["name"] as? String ?? "").split(separator: "PromiseRecordingTests.swift:").last ?? ""
      return lines.contains(Int(place.prefix(while: \.isNumber)) ?? 0)
    }
  }

  @Test("15.24 a recording has a slice for each promise and for each callback")
  func slices() throws {
    let first = #line + 2
    let recording = PromiseRecording()
    let (promise, resolver) = Subject.makeWithResolver()
    let inner = Subject.makeWithResolver()
    let steps = promise.map(on: .immediate) { $0 }.flatMap(on: .immediate) { _ in inner.0 }
    resolver.fulfill(with: 1)
    inner.1.fulfill(with: 2)
    let open = Subject.makeWithResolver()
    recording.stop()
    let late = Subject.makeWithResolver()

    let events = try events(recording, on: first...first + 7)
    func slices(_ phase: String) -> [[String: Any]] { events.filter { $0["ph"] as? String == phase } }
    let (begins, ends, callbacks) = (slices("b"), slices("e"), slices("X"))
    #expect([begins, ends, callbacks].map(\.count) == [5, 5, 2] as [Int])
    let numbers = begins.compactMap { $0["id"] as? Int }
    let arguments = begins.compactMap { $0["args"] as? [String: Any] }
    #expect(arguments.compactMap { $0["isResolved"] as? Bool } == [true, true, true, true, false])
    #expect(arguments.compactMap { $0["source"] as? Int } == [numbers[0], numbers[2]])
    #expect(arguments.compactMap { $0["adopts"] as? Int } == [numbers[1]])
    for (begin, end) in zip(begins, ends) {
      #expect(try #require(begin["ts"] as? Int) <= #require(end["ts"] as? Int))
    }
    let threads = callbacks.compactMap { $0["tid"] as? Int }
    #expect(threads == [threads[0], threads[0]])
    open.1.cancel()
    late.1.cancel()
    withExtendedLifetime(steps) {}
  }

  @Test("15.24 the page has a line for each promise, and loads nothing")
  func page() {
    let line = #line + 2
    let recording = PromiseRecording()
    let (promise, resolver) = Subject.makeWithResolver()
    promise.then(on: .immediate) { _ in }
    resolver.fulfill(with: 1)
    recording.stop()
    let html = recording.html
    #expect(html.contains("PromiseRecordingTests.swift:\(line)</b>"))
    #expect(html.contains("step of ModuleTests/PromiseRecordingTests.swift:\(line) on immediate</b>"))
    for word in ["http:", "https:", "src=", "href=", "@import", "url("] { #expect(!html.contains(word), "\(word)") }
    #expect(html.contains("prefers-color-scheme: dark"))
    #expect(html.components(separatedBy: "<li>").count == recording.count + 1)
  }

  @Test("15.24 an event that arrives after the recording was stopped is not added")
  func stopping() throws {
    let recording = PromiseRecording()
    Subject.makeWithResolver().1.cancel()
    let event = try #require(recording.log.state.withLock { $0.events.first })
    recording.stop()
    let count = recording.log.state.withLock { $0.events.count }
    recording.log.append(event)
    #expect(recording.log.state.withLock { $0.events.count } == count)
  }

  @Test("15.28 the label of a queue is shown, and adds nothing to the page")
  func escaping() throws {
    let line = #line + 4
    let label = "\" onclick=\"alert(1)\" '</li><script>alert(1)</script>&lt;\n\u{1}é"
    func record(_ label: String) -> PromiseRecording {
      let recording = PromiseRecording()
      Subject(fulfilled: 1).then(on: .queue(DispatchQueue(label: label))) { _ in }
      recording.stop()
      return recording
    }
    let recording = record(label)
    let names = try events(recording, on: line...line).compactMap { $0["name"] as? String }
    #expect(names.contains { $0.hasSuffix(" on \(label)") })
    #expect(recording.html.contains(" on &#34; onclick=&#34;alert(1)&#34; &#39;&#60;/li&#62;&#60;script&#62;"))
    #expect(!recording.html.contains("<script>alert"))
  }

  @Test("15.31 a recording shows the name beside the place")
  func names() {
    let line = #line + 2
    let recording = PromiseRecording()
    let (promise, resolver) = Subject.makeWithResolver()
    promise.named("order 17").then(on: .immediate) { _ in }
    resolver.fulfill(with: 1)
    recording.stop()
    let title = "&#34;order 17&#34; ModuleTests/PromiseRecordingTests.swift:\(line)"
    #expect(recording.html.contains(" \(title)</b>"))
    #expect(recording.html.contains(" step of \(title) on immediate</b>"))
  }

  @Test("15.37 a recording describes whether it runs, and its events")
  func description() {
    let recording = PromiseRecording()
    #expect(String(reflecting: recording).hasPrefix("PromiseRecording(running, "))
    recording.stop()
    #expect(String(reflecting: recording).hasPrefix("PromiseRecording(ended, "))
    #expect(String(reflecting: recording).hasSuffix(" events, 0 omitted)"))
  }

  @Test("15.24 recordings run side by side, and end with their last reference")
  func several() throws {
    let line = #line + 4
    let outer = PromiseRecording()
    do {
      let inner = PromiseRecording()
      Subject.makeWithResolver().1.cancel()
      #expect(try events(inner, on: line...line).count == 2)
    }
    Subject.makeWithResolver().1.cancel()
    #expect(try events(outer, on: line...line + 3).count == 4)
    outer.stop()
    outer.stop()
    let count = outer.count
    Subject.makeWithResolver().1.cancel()
    #expect(outer.count == count)
    #expect(outer.omitted == 0)
  }

  @Test("15.24 a recording of a when is saved")
  func pictures() async {
    let names = ["a", "b"]
    @Sendable func load(_ name: String) -> Promise<String, Flaw> { Promise(fulfilled: name) }
    let (saved, resolver) = Promise<[String], Never>.makeWithResolver()
    let texts = Guarded<[String]>([])
    @Sendable func save(_ text: String, _ name: String) {
      texts.withLock { $0 += [text, name] }
      if name.hasSuffix("json") { resolver.fulfill(with: texts.withLock { $0 }) }
    }

    let recording = PromiseRecording()
    let pictures = when(fulfilled: names.map(load))
    pictures.always(on: .utility) { _ in
      recording.stop()
      save(recording.html, "pictures.html")
      save(recording.json, "pictures.json")
    }

    let all = await expectFulfilled(saved, within: .seconds(60)) ?? []
    #expect(all.count == 4)
    #expect(all.first?.hasPrefix("<!doctype html>") == true)
    #expect(all.dropFirst(2).first?.hasPrefix("{") == true)
  }
}
