internal import Overmorrow

/// Trace events in the format that Perfetto and the tracing pages of browsers read.
extension Timeline {
  var json: String {
    let indices = Dictionary(uniqueKeysWithValues: spans.enumerated().map { ($1.number, $0) })
    var events = [#"{"name":"process_name","ph":"M","pid":1,"args":{"name":"promises"}}"#]
    for span in spans {
      let title = #""name":\#(span.title.inJSON),"pid":1"#
      let slice = #"\#(title),"cat":"promise","id":\#(span.number),"tid":0"#
      events.append(#"{"ph":"b","ts":\#(span.made),\#(slice),"args":{\#(span.arguments)}}"#)
      events.append(#"{"ph":"e","ts":\#(span.end),\#(slice)}"#)
      guard let (begin, ended, thread) = span.callback else { continue }
      let duration = (ended ?? end) - begin
      events.append(#"{"ph":"X","ts":\#(begin),"dur":\#(duration),\#(title),"cat":"callback","tid":\#(thread)}"#)
      guard let source = span.source.flatMap({ indices[$0] }), let before = spans[source].callback else { continue }
      let arrow = #""name":"result","cat":"result","id":\#(span.number),"pid":1"#
      events.append(#"{"ph":"s","ts":\#(before.begin),\#(arrow),"tid":\#(before.thread)}"#)
      events.append(#"{"ph":"f","bp":"e","ts":\#(begin),\#(arrow),"tid":\#(thread)}"#)
    }
    let head = #"{"displayTimeUnit":"ms","otherData":{"omittedEvents":\#(omitted)},"traceEvents":["#
    return "\(head)\n\(events.joined(separator: ",\n"))\n]}\n"
  }
}

extension Timeline.Span {
  fileprivate var arguments: String {
    [
      #""isResolved":\#(resolved != nil)"#, source.map { #""source":\#($0)"# },
      adopted.map { #""adopts":\#($0.number)"# },
    ].compactMap { $0 }.joined(separator: ",")
  }
}

extension String {
  /// The string as a JSON string, with its quotes.
  var inJSON: String { "\"\(escaped(for: .json))\"" }
}
