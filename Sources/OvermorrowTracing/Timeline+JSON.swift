internal import Overmorrow
internal import OvermorrowDiagnostics

/// Trace events in the format that Perfetto and the tracing pages of browsers read.
extension Timeline {
  var json: String {
    let folds = TimelineFolds(self)
    let indices = Dictionary(uniqueKeysWithValues: spans.enumerated().map { ($1.number, $0) })
    var events = [#"{"name":"process_name","ph":"M","pid":1,"args":{"name":"promises"}}"#]
    for (index, span) in spans.enumerated() {
      let title = #""name":\#(span.title.inJSON),"pid":1"#
      let slice = #"\#(title),"cat":"promise","id":\#(span.number),"tid":0"#
      events.append(#"{"ph":"b","ts":\#(span.made),\#(slice),"args":{\#(arguments(index, folds))}}"#)
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

  /// The arguments of a promise's slice. `chain`, `parent`, `source` and `adopts` are numbers of promises.
  private func arguments(_ index: Int, _ folds: TimelineFolds) -> String {
    let (span, chain) = (spans[index], folds.chains[index])
    return [
      #""isResolved":\#(span.state.isResult)"#, #""state":"\#(span.state.rawValue)""#,
      #""chain":\#(spans[chain].number)"#, folds.waiting[chain].map { #""parent":\#(spans[$0].number)"# },
      span.source.map { #""source":\#($0)"# }, span.adopted.map { #""adopts":\#($0.number)"# },
      span.mistake.map { #""mistake":\#($0.inJSON)"# },
    ].compactMap(\.self).joined(separator: ",")
  }
}

extension Timeline.State {
  fileprivate var isResult: Bool { self != .pending && self != .released }
}

extension String {
  /// The string as a JSON string, with its quotes.
  var inJSON: String { "\"\(escaped(for: .json))\"" }
}
