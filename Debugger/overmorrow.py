"""Lists the pending promises of a stopped process or of a core dump, in gdb and in lldb.

  (gdb) source Debugger/overmorrow.py
  (gdb) overmorrow pending

  (lldb) command script import Debugger/overmorrow.py
  (lldb) overmorrow pending

`overmorrow pending NUMBER` lists at most this number of promises, the oldest first.

The script reads memory only. It calls no function of the program, takes no lock and needs no debug information. It finds
the list of watched promises by the C symbol `overmorrow_layout`, whose words `CoreNote+Layout.swift` writes in the order
of `FIELDS`. A program at the level `off`, the default of release builds, has no list.
"""

import struct

VERSION = 1
FIELDS = (
    "version", "note_next", "note_core", "note_number", "note_file", "note_line", "note_context", "note_producer",
    "note_name", "note_body", "table_upstream", "upstream_has_vote", "table_inputs", "steps_lists", "list_cores",
    "no_text", "no_body", "body_runs", "shards",
)
# The largest numbers of shards, of notes of one shard, of inputs of one promise, and of bytes of one text.
MAX_SHARDS, MAX_NOTES, MAX_INPUTS, MAX_TEXT = 32, 1_000_000, 10_000, 4096
# The largest number of inputs in one line.
MAX_SHOWN = 10
# The default number of promises in the list.
LIMIT = 1000

# The words of a core, in the order of `CoreState`: its state, its link and, in half a word, its votes.
STATE, LINK, VOTES = 0, 8, 16
# Of the state word (`StateWord`): resolved or not, and the phase while unresolved.
RESOLVED, PHASE, CLAIMED, ADOPTING = 0b100, 0b011, 0b001, 0b010
# Of the link word (`LinkWord`): the kind, the kind of a side table, and the bits beside the address.
KIND, MOVED, LINK_TAGS = 0b011, 0b010, 0b111


class Unreadable(Exception):
    """Memory that the debugger cannot read."""


class Memory:
    """The memory of the program. `read` returns bytes, or raises `Unreadable`."""

    def __init__(self, read):
        self.read = read

    def word(self, address):
        return struct.unpack("<Q", self.read(address, 8))[0]

    def words(self, address, count):
        return struct.unpack(f"<{count}Q", self.read(address, 8 * count))

    def half(self, address):
        return struct.unpack("<I", self.read(address, 4))[0]

    def bytes(self, address, count):
        return self.read(address, min(count, MAX_TEXT)).decode("utf-8", "replace") if count else ""

    def static_string(self, address):
        """Returns the text of a `StaticString`, which is a pointer, a count and flags."""
        start, count, flags = self.words(address, 3)
        return "?" if flags & 1 else self.bytes(start, count)

    def string(self, words):
        """Returns the text of a `String`, whose 16 bytes are these words."""
        kind = words[1] >> 60
        if kind & 0b0010:  # The text is in the string.
            return struct.pack("<QQ", *words)[: words[1] >> 56 & 15].decode("utf-8", "replace")
        if kind & 0b0101:
            return "?"  # An object of Foundation.
        return self.bytes((words[1] & (1 << 60) - 1) + 32, words[0] & (1 << 48) - 1)

    def array(self, address):
        """Returns the words of an array of words, whose buffer has the count in its third word."""
        buffer = self.word(address)
        count = self.word(buffer + 16) if buffer else 0
        return self.words(buffer + 32, min(count, MAX_INPUTS)) if count else ()


class Note:
    """What a note and its core say about one promise."""

    def __init__(self, memory, layout, address):
        self.address = address
        self.core = memory.word(address + layout["note_core"])
        self.number = memory.word(address + layout["note_number"])
        self.place = f"{memory.static_string(address + layout['note_file'])}:{memory.word(address + layout['note_line'])}"
        self.producer = memory.string(memory.words(address + layout["note_producer"], 2))
        self.context = self.text(memory, layout, "note_context", ["no_text"])
        self.name = self.text(memory, layout, "note_name", ["no_text"])
        self.body_runs = memory.word(address + layout["note_body"] + 8) == layout["body_runs"]
        self.body_context = self.text(memory, layout, "note_body", ["no_body", "body_runs"])
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
        table = link & ~LINK_TAGS
        if link & KIND != MOVED:
            return table, None
        upstream = memory.word(table + layout["table_upstream"])
        # The byte is 0 or 1 in a value, and something else in an empty one.
        has_value = memory.read(table + layout["table_upstream"] + layout["upstream_has_vote"], 1)[0] <= 1
        steps = memory.word(table + layout["table_inputs"])
        if not steps:
            return upstream if has_value else 0, None
        cores = []
        for each in memory.array(steps + layout["steps_lists"]):
            if len(cores) < MAX_INPUTS:
                cores += memory.array(each + layout["list_cores"])
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
            inputs = [f"#{notes[step.upstream].number if step.upstream in notes else step.number}" for step in steps]
            rest = [f"{len(inputs) - MAX_SHOWN} more"] if len(inputs) > MAX_SHOWN else []
            return " and ".join(inputs[:MAX_SHOWN] + rest) or "its inputs"
        return self.producer

    def line(self, notes):
        kind = "promise" if self.context is None else "step"
        name = "" if self.name is None else f' named "{self.name}"'
        context = f" on {self.context}" if self.context is not None else ""
        observers = {0: "", 1: ", 1 observer"}.get(self.observers, f", {self.observers} observers")
        text = f"a {kind}{name}{context} made at {self.place}{observers}, waits for {self.waits_for(notes)}"
        return f"#{self.number} {printable(text)}"


def printable(text):
    """Returns the text with a symbol in place of each control character."""
    return "".join(chr(0x2400 + ord(each)) if ord(each) < 32 else "\u2421" if ord(each) == 127 else each for each in text)


def read_layout(memory, address):
    """Returns the layout by the names of its words, and the addresses of the links to the first notes."""
    layout = dict(zip(FIELDS, memory.words(address, len(FIELDS))))
    if layout["version"] == 0:
        return None, []
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


def pending(read, symbol, limit=LIMIT):
    """Returns the list as lines.

    read: returns bytes of the program's memory for an address and a count.
    symbol: returns the address of a C symbol, or `None`.
    """
    memory = Memory(read)
    address = symbol("overmorrow_layout")
    if address is None:
        return ["The symbol overmorrow_layout was not found: Overmorrow is not in this program, or its symbols were stripped."]
    try:
        layout, heads = read_layout(memory, address)
    except Unreadable as error:
        return [f"The list of promises cannot be read: {error}"]
    if layout is None:
        return [
            "This program has watched no promise, so it has no list. A release build watches promises if it runs with",
            "OVERMORROW_DIAGNOSTICS=report in its environment.",
        ]
    notes, failures = read_notes(memory, layout, heads)
    notes = sorted((note for note in notes if note.is_pending), key=lambda note: note.number)
    by_core = {note.core: note for note in notes}
    # The steps of combinators are left out. The promise that waits through them names the promises that they wait for.
    inner = {core for note in notes for core in note.inputs or ()}
    notes = [note for note in notes if note.core not in inner]
    title = {0: "No promise is pending.", 1: "1 promise is pending."}.get(len(notes), f"{len(notes)} promises are pending.")
    lines = [title] + [note.line(by_core) for note in notes[:limit]]
    if len(notes) > limit:
        lines.append(f"and {len(notes) - limit} more")
    if failures:
        lines.append(f"The list is incomplete: {failures} parts of it could not be read.")
    return lines


def run(arguments, read, symbol):
    """Returns the output of the command with these arguments."""
    words = arguments.split()
    if words[:1] != ["pending"] or len(words) > 2 or not all(each.isdigit() for each in words[1:]):
        return "Usage: overmorrow pending [NUMBER]"
    return "\n".join(pending(read, symbol, *map(int, words[1:])))


try:
    import gdb
except ImportError:
    gdb = None

if gdb:
    import re

    class OvermorrowCommand(gdb.Command):
        """Lists the pending promises of the program: overmorrow pending [NUMBER]"""

        def __init__(self):
            super().__init__("overmorrow", gdb.COMMAND_DATA)

        def invoke(self, arguments, from_tty):
            def read(address, count):
                try:
                    return bytes(gdb.selected_inferior().read_memory(address, count))
                except gdb.error as error:
                    raise Unreadable(error) from error

            def symbol(name):
                try:
                    found = re.search(r"0x[0-9a-f]+", gdb.execute(f"info address {name}", to_string=True))
                except gdb.error:
                    found = None
                return int(found[0], 16) if found else None

            gdb.write(run(arguments, read, symbol) + "\n")

    OvermorrowCommand()


def lldb_command(debugger, arguments, context, result, _):
    """Lists the pending promises of the program: overmorrow pending [NUMBER]"""
    import lldb

    target, process = context.GetTarget(), context.GetProcess()

    def read(address, count):
        error = lldb.SBError()
        data = process.ReadMemory(address, count, error)
        if not error.Success() or data is None or len(data) != count:
            raise Unreadable(f"{count} bytes at {address:#x}: {error.GetCString()}")
        return data

    def symbol(name):
        for found in target.FindSymbols(name):
            address = found.GetSymbol().GetStartAddress().GetLoadAddress(target)
            if address != lldb.LLDB_INVALID_ADDRESS:
                return address
        return None

    result.PutCString(run(arguments, read, symbol))


def __lldb_init_module(debugger, _):
    debugger.HandleCommand("command script add -o -f overmorrow.lldb_command overmorrow")
