package import OvermorrowEngine

// The promises that take over the result of the promise.
extension PromiseNote {
  package func noteChild(_ step: CoreRef, isHidden: Bool) {
    state.withLock { $0.error.recipients += 1 }
    let note = PromiseNote(step, site, in: membership?.scope, from: origin, source: self, isHidden: isHidden)
    if step.traits.has(.resumesTask) { note.beginWait(for: core, through: step) }
  }

  package func noteAdopted(by core: CoreRef) {
    state.withLock { $0.error.recipients += 1 }
    if let note = CoreNote.find(core) { PromiseEvent.send(note.number, .adopts(Int(number))) }
    // An error cannot be followed into a core without a note, so the error counts as read.
    if !core.traits.contains(.checked) { noteRead() }
  }

  package func noteAdopter(_ core: CoreRef) { WaitGraph.check(adopter: core, of: self.core) }
}
