package import OvermorrowEngine

extension PromiseHandle {
  /// Creates a note for a core without a source if the core is watched, recorded or in a scope. The core must not be
  /// shared yet.
  package func makeNote(_ site: CallSite, _ resolver: ResolverClaim?, _ kind: ProducerKind) {
    // Promises that the library makes for itself are not watched, because their errors reach a promise that user code
    // has.
    let isInUserCode = site.isInUserCode
    let isWatched = Diagnostics.isWatching && isInUserCode
    if isWatched { UnservedMainQueue.begin }
    if isWatched, !core.traits.has(.library) { resolver?.watch(for: site) }
    let scope = DiagnosticsSwitch.hasScopes && !site.isInternal ? PromiseScope.current : nil
    if isWatched || scope != nil || DiagnosticsSwitch.isRecording && isInUserCode {
      _ = PromiseNote(core, site, in: scope, from: nil, producer: kind)
    }
    core.recordWithoutNote(site, kind.rawValue)
  }
}
