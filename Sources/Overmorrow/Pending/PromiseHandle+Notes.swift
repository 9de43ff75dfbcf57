public import OvermorrowDiagnostics
public import OvermorrowEngine

extension PromiseHandle {
  /// Creates a note for a core without a source if the core is watched, recorded or in a scope. Otherwise, makes a
  /// record if trails are recorded. The core must not be shared yet.
  @usableFromInline
  @inline(never)
  func takeNote(_ site: CallSite, _ resolver: ResolverClaim? = nil, _ kind: ProducerKind = .resolver) {
    if awaitsOnlyRecord { return core.record(site, kind.rawValue) }
    PendingOnRequest.begin
    makeNote(site, resolver, kind)
  }
}
