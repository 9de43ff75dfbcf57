"""The list of watched promises. Its layout is in the words of the C symbol `overmorrow_layout`, which
`CoreNote+Layout.swift` writes in the order of `FIELDS`."""

import os

from overmorrow_memory import (
    ADOPTING, CLAIMED, KIND, LINK, MOVED, PHASE, RESOLVED, STATE, TAGS, VOTES, Unreadable, is_own, is_thunk, observed,
    printable, shown)

VERSION = 2
FIELDS = (
    "version", "note_next", "note_core", "note_number", "note_file", "note_line", "note_made", "note_context",
    "note_producer", "note_name", "note_body", "note_follower", "table_upstream", "upstream_has_vote", "table_inputs",
    "steps_lists", "list_cores", "follower_mark", "mark_calls", "no_text", "no_body", "body_runs", "shards",
)
# The largest numbers of shards, and of notes of one shard.
MAX_SHARDS, MAX_NOTES = 32, 1_000_000


class Note:
    """What a note and its core say about one promise."""

    def __init__(self, memory, layout, address):
        self.address = address
        self.core = memory.word(address + layout["note_core"])
        self.number = memory.word(address + layout["note_number"])
        self.place = f"{memory.static_string(address + layout['note_file'])}:{memory.word(address + layout['note_line'])}"
        # The time is in attoseconds.
        low, high = memory.words(address + layout["note_made"], 2)
        self.made = (high << 64 | low) / 1e18
        self.producer = memory.string(memory.words(address + layout["note_producer"], 2))
        self.context = self.text(memory, layout, "note_context", ["no_text"])
        self.name = self.text(memory, layout, "note_name", ["no_text"])
        self.body_runs = memory.word(address + layout["note_body"] + 8) == layout["body_runs"]
        self.body_context = self.text(memory, layout, "note_body", ["no_body", "body_runs"])
        mark = memory.word(memory.word(address + layout["note_follower"]) + layout["follower_mark"])
        self.calls = memory.array(mark + layout["mark_calls"])
        self.state = memory.word(self.core + STATE)
        self.observers = memory.half(self.core + VOTES) >> 8
        self.upstream, self.inputs = self.awaited(memory, layout)

    def text(self, memory, layout, field, empty):
        """Returns the text of an optional string, or `None` if its second word is that of an empty value."""
        words = memory.words(self.address + layout[field], 2)
        return None if words[1] in [layout[each] for each in empty] else memory.string(words)

    def awaited(self, memory, layout):
        """Returns the address of the core that this core waits for, or 0, and the cores of the steps through which it waits."""
        link = memory.word(self.core + LINK)
        table = link & ~TAGS
        if link & KIND != MOVED:
            return table, None
        upstream = memory.word(table + layout["table_upstream"])
        # The byte is 0 or 1 in a value, and something else in an empty one.
        has_value = memory.read(table + layout["table_upstream"] + layout["upstream_has_vote"], 1)[0] <= 1
        steps = memory.word(table + layout["table_inputs"])
        cores = memory.cores(steps, layout["steps_lists"], layout["list_cores"]) if steps else None
        return upstream if has_value else 0, cores

    @property
    def is_pending(self):
        return not self.state & RESOLVED

    def waits_for(self, notes):
        """Returns what the promise waits for. `notes` has the notes of the listed cores."""
        is_adopting, is_claimed = self.state & PHASE == ADOPTING, self.state & PHASE == CLAIMED
        if self.upstream:
            what = "the promise that it was resolved with" if is_adopting else "the promise before it"
            note = notes.get(self.upstream)
            return f"#{note.number}" + (", which it was resolved with" if is_adopting else "") if note else what
        if is_adopting:
            return "the promise that it was resolved with, which has its result"
        if self.context is not None:
            return "its callback, which is running" if is_claimed else f"its turn on {self.context}"
        if self.body_runs:
            return "its body, which is running"
        if self.body_context is not None:
            return f"its body, which waits to run on {self.body_context}"
        if self.inputs is not None and self.producer == "its resolver":
            # Each step waits for one input. A step whose input has resolved is no longer pending.
            steps = [notes[core] for core in self.inputs if core in notes]
            return shown([f"#{notes[step.upstream].number if step.upstream in notes else step.number}" for step in steps])
        return self.producer

    def line(self, notes, debugger, age):
        kind = "promise" if self.context is None else "step"
        name = "" if self.name is None else f' named "{self.name}"'
        context = f" on {self.context}" if self.context is not None else ""
        call = call_place(self.calls, debugger) if self.context is not None else None
        text = (
            f"a {kind}{name}{context}{f' at {call}' if call else ''} made at {self.place}{age(self)}"
            f"{observed(self.observers)}, waits for {self.waits_for(notes)}")
        return f"#{self.number} {printable(text)}"


def call_place(calls, debugger):
    """Returns the place of the first of these calls that is outside of the library, or `None`. Without debug information
    of the library, the place is the function of the call.

    calls: the return addresses, the innermost call first.
    """
    # A return address is behind its call, and may belong to the next line. The innermost call is in a folder of a
    # folder of `Sources` of the library.
    first = debugger.line(calls[0] - 1) if calls else None
    package = first and os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(first[0]))))
    own = tuple(os.path.join(package, each, "") for each in ("Sources", "DropIns", "Bindings")) if package else None
    for address in calls:
        line, (name, offset) = debugger.line(address - 1), debugger.function(address - 1)
        if name is None or is_thunk(name):
            continue
        if own is None and not is_own(name):
            return f"{name}+{offset}"
        if own is not None and line is not None and not line[0].startswith(own):
            return f"{os.path.basename(line[0])}:{line[1]}"
    return None


def clock_of(notes, debugger):
    """Returns a function that describes the age of a promise.

    A process that is being debugged here has the clock of the debugger. The time of a core dump is not known, so the
    times are compared with that of the newest promise.
    """
    newest = max((note.made for note in notes), default=0)
    now = debugger.now()
    if now is not None and now >= newest:
        return lambda note: f", pending for {now - note.made:.1f} s"
    return lambda note: f", {newest - note.made:.1f} s older than the newest"


def read_layout(memory, address):
    """Returns the layout by the names of its words, and the addresses of the links to the first notes. Returns `None`
    if no promise was watched."""
    layout = dict(zip(FIELDS, memory.words(address, len(FIELDS))))
    if layout["version"] == 0:
        return None
    if layout["version"] != VERSION or layout["shards"] > MAX_SHARDS:
        raise Unreadable(f"this program has version {layout['version']} of the layout; use the script of its library")
    return layout, memory.words(address + 8 * len(FIELDS), layout["shards"])


def read_notes(memory, layout, heads):
    """Returns the notes of all shards, and the number of notes and of shards that could not be read."""
    notes, failures = [], 0
    for head in heads:
        seen = set()
        try:
            address = memory.word(head)
            while address and address not in seen and len(seen) < MAX_NOTES:
                seen.add(address)
                # A thread that was stopped during a change may leave a part of a note unreadable.
                try:
                    notes.append(Note(memory, layout, address))
                except Unreadable:
                    failures += 1
                address = memory.word(address + layout["note_next"])
        except Unreadable:
            failures += 1
    return notes, failures


def watched(memory, debugger, layout, heads, limit):
    """Returns the list of the pending promises that are watched, as lines."""
    notes, failures = read_notes(memory, layout, heads)
    age = clock_of(notes, debugger)
    notes = sorted((note for note in notes if note.is_pending), key=lambda note: note.number)
    by_core = {note.core: note for note in notes}
    # The steps of combinators are left out. The promise that waits through them names the promises that they wait for.
    inner = {core for note in notes for core in note.inputs or ()}
    notes = [note for note in notes if note.core not in inner]
    title = {0: "No promise is pending.", 1: "1 promise is pending."}.get(len(notes), f"{len(notes)} promises are pending.")
    lines = [title] + [note.line(by_core, debugger, age) for note in notes[:limit]]
    if len(notes) > limit:
        lines.append(f"and {len(notes) - limit} more")
    if failures:
        lines.append(f"The list is incomplete: {failures} parts of it could not be read.")
    return lines
