"""Finds unresolved promises in the memory of a program that has no list of them.

The memory of a core has no mark. A core is recognised by its words: the bits of its traits, the code of its operations
in the program's functions, its counts, and the addresses in its words, which lead to other cores. The memory of a core
that has ended has the count 0, so it is not listed.
"""

import bisect
import os
import re

from overmorrow_memory import (
    ADOPTING, KIND, LIMIT, MOVED, PHASE, RESOLVED, TAGS, Unreadable, is_thunk, observed, printable, shown)

# The version of the words of a core, which is in the last of the words of the symbol `overmorrow_layout`.
VERSION, LAYOUT_WORDS = 1, 64
# The largest amount of memory that is searched, the largest number of promises, and the bytes that are read at once.
MAX_MEMORY, MAX_FOUND, CHUNK = 4 << 30, 100_000, 1 << 16

# The pages in which code is looked up quickly: 1 MiB.
PAGE = 20

# The number of words of a core before its payload, the alignment of a core, and the number of payload words that are
# read: `CoreState`.
WORDS, ALIGNMENT, PAYLOAD = 9, 16, 3
# The word with the traits.
TRAITS_WORD = 7
# Of the traits: bits that no core has, and the traits `hasResolver`, `library` and `boxed`; in the highest byte, the
# size class (`Traits`).
NEVER, HAS_RESOLVER, LIBRARY, BOXED, SIZE = 0xF080_0400, 1 << 12, 1 << 17, 1 << 19, 24
# The bits of the votes that are always 0 (`VoteWord`), and the limit of a count.
NO_VOTE, MAX_COUNT = 0b1110_0000, 1 << 31
# The least value of the word with the votes and the count of a core that has not ended.
FIRST_COUNT = 1 << 32
# The places without an object, and the tags of an executor and of an actor (`Place`).
PLACES = ("immediate", "main", "background", "utility", "default", "userInitiated", "userInteractive", "main")
EXECUTOR, ACTOR = 1, 2
# The offsets in a `SideTable` of its core, of the core that it waits for and of the byte behind it, and of its
# `WaitingSteps`; and the offsets of the arrays of steps.
TABLE_CORE, TABLE_UPSTREAM, HAS_VOTE, TABLE_INPUTS, STEPS_LISTS, LIST_CORES = 24, 32, 40, 88, 24, 16
# The end of the name of a function that only calls another function, and the largest number of such functions.
THUNK, MAX_CALLS = re.compile(r"TR(TA)?(\.\d+)?$"), 4


class Ranges:
    """Sorted ranges of addresses."""

    def __init__(self, ranges):
        self.ranges = sorted(ranges)
        self.starts = [start for start, _ in self.ranges]

    def __contains__(self, address):
        index = bisect.bisect_right(self.starts, address) - 1
        return index >= 0 and address < self.ranges[index][1]


class Core:
    """The words of what may be a core."""

    def __init__(self, address, words):
        self.address = address
        self.state, self.link, votes, self.next, self.following, self.source, self.place, traits, self.code = words
        self.votes, self.count = votes & 0xFFFF_FFFF, votes >> 32
        self.traits = traits & 0xFFFF_FFFF
        self.upstream, self.inputs = 0, None

    @property
    def phase(self):
        return self.state & PHASE

    @property
    def is_unresolved(self):
        return not self.state & RESOLVED

    @property
    def waiter(self):
        return self.state & ~TAGS

    @property
    def is_step(self):
        return not self.traits & HAS_RESOLVER


class Scan:
    """A search for cores."""

    def __init__(self, memory, debugger):
        self.memory, self.debugger = memory, debugger
        self.writable, self.code = Ranges(debugger.writable()), Ranges(debugger.code())
        self.pages = {page for start, end in self.code.ranges for page in range(start >> PAGE, (end >> PAGE) + 1)}
        # The upper halves of addresses, which are not taken for counts. A promise with just so many holders, such as 21,845,
        # is not found.
        ends = [end for one in self.writable.ranges + self.code.ranges for end in one]
        self.halves = {end >> 32 for end in ends if end >> 40}
        self.is_complete, self.size, self.cores = True, 0, {}

    def core(self, address):
        """Returns the core at an address, resolved or not, or `None` if there is no core."""
        if address % ALIGNMENT or address not in self.writable:
            return None
        try:
            core = Core(address, self.memory.words(address, WORDS))
            return core if self.is_core(core) else None
        except Unreadable:
            return None

    def is_core(self, core):
        """Returns whether the words are possible in a core that has not ended."""
        size = core.traits >> SIZE
        if core.traits & NEVER or 0 < size <= WORDS * 8 // ALIGNMENT or core.phase == PHASE:
            return False
        if not 0 < core.count < MAX_COUNT or core.count in self.halves or core.votes & NO_VOTE:
            return False
        if core.traits & BOXED:
            if core.code not in self.writable:
                return False
            core.code = self.memory.word(core.code)
        if core.code not in self.code:
            return False
        pointers = (core.next, core.following & ~TAGS, core.source, core.place & ~TAGS, core.link & ~TAGS)
        return all(each == 0 or each in self.writable for each in pointers)

    def is_linked(self, core):
        """Returns whether the words of an unresolved core lead to cores. Reads what the core waits for."""
        address = core.link & ~TAGS
        if core.link & KIND == MOVED:
            if self.memory.word(address + TABLE_CORE) != core.address:
                return False
            # The byte is 0 or 1 in a value, and something else in an empty one.
            if self.memory.read(address + HAS_VOTE, 1)[0] <= 1:
                core.upstream = self.memory.word(address + TABLE_UPSTREAM)
            steps = self.memory.word(address + TABLE_INPUTS)
            if steps:
                core.inputs = self.memory.cores(steps, STEPS_LISTS, LIST_CORES)
        else:
            core.upstream = address
        return all(each == 0 or self.core(each) for each in (core.waiter, core.upstream, core.source))

    def run(self):
        """Finds the unresolved cores."""
        for start, end in self.writable.ranges:
            for chunk in range(start, end, CHUNK):
                if self.size >= MAX_MEMORY or len(self.cores) >= MAX_FOUND:
                    self.is_complete = False
                    return
                self.search(chunk, min(end, chunk + CHUNK), end)

    def search(self, start, end, limit):
        """Finds the unresolved cores that begin in a range of memory, which ends before `limit`."""
        try:
            data = self.memory.read(start, min(end + WORDS * 8, limit) - start)
        except Unreadable:
            return
        self.size += end - start
        # Most stacks contain little but zeros.
        if not data.strip(b"\0"):
            return
        words = memoryview(data[: len(data) & ~7]).cast("Q")
        # A core begins at an even word. The first test is quick, because most words are not traits. The last one finds the
        # cores that are resolved or have ended.
        places = [2 * index for index, traits in enumerate(words[TRAITS_WORD::2]) if traits and not traits & NEVER]
        last = len(words) - WORDS
        for first in places:
            if first > last or words[first + WORDS - 1] >> PAGE not in self.pages and not words[first + TRAITS_WORD] & BOXED:
                continue
            if words[first] & RESOLVED or words[first + 2] < FIRST_COUNT:
                continue
            core = Core(start + 8 * first, words[first:first + WORDS])
            try:
                if self.is_core(core) and self.is_linked(core):
                    self.cores[core.address] = core
            except Unreadable:
                pass

    def label(self, queue):
        """Returns the label of a queue, whose offset libdispatch has in the second half-word of a symbol for debuggers."""
        offsets = self.debugger.symbol("dispatch_queue_offsets")
        try:
            # On Linux, the queue is the first field of an object.
            wrapped = self.memory.word(queue + 16)
            queue = wrapped if wrapped in self.writable else queue
            label = self.memory.word(queue + (self.memory.half(offsets) >> 16)) if offsets else 0
            return (label and self.memory.c_string(label)) or "a queue"
        except Unreadable:
            return "a queue"

    def context(self, core):
        if core.place < len(PLACES):
            return PLACES[core.place]
        return {EXECUTOR: "an executor", ACTOR: "an actor"}.get(core.place & TAGS) or self.label(core.place & ~TAGS)

    def callback(self, core):
        """Returns the place or the name of the callback, which lies in the payload until it runs, or `None`."""
        address, words = core.address + 8 * WORDS, ()
        # A function that only calls another one has the other one among its captures.
        for _ in range(MAX_CALLS):
            words = self.memory.words(address, PAYLOAD)
            index = next((index for index, word in enumerate(words) if word in self.code), None)
            if index is None:
                return None
            name, _ = self.debugger.function(words[index])
            line = None if is_thunk(name) else self.debugger.line(words[index])
            if line is not None:
                return f"{os.path.basename(line[0])}:{line[1]}"
            address = words[index + 1] + 16 if index + 1 < PAYLOAD else 0
            if not THUNK.search(name or "") or address not in self.writable:
                return name
        return None

    def operator(self, core):
        """Returns the name of the operator that made a step, as far as the name of its operations contains it."""
        name, _ = self.debugger.function(core.code)
        found = re.search(r"StepD0Oy(?:[A-Z]{2})?0?(\d+)([A-Z]\w*)", name or "")
        return found[2][:int(found[1])] if found else None

    def waits_for(self, core):
        """Returns what an unresolved core waits for."""
        if core.upstream:
            text = f"{core.upstream:#x}" if core.upstream in self.cores else "the promise before it, which has its result"
            return text + (", which it was resolved with" if core.phase == ADOPTING else "")
        if core.is_step:
            return f"its turn on {self.context(core)}" if core.source else "its callback, which is running"
        if core.place:
            return f"its body, which waits to run on {self.context(core)}"
        if core.inputs:
            # Each step waits for one input. A step whose input has resolved is no longer unresolved.
            steps = [self.cores[each] for each in core.inputs if each in self.cores]
            return shown([f"{step.upstream or step.address:#x}" for step in steps])
        return "the library, such as for a timer or a task" if core.traits & LIBRARY else "its resolver"

    def line(self, core):
        text = "a promise"
        if core.is_step:
            operator = self.operator(core)
            text = f"a step ({operator[0].lower()}{operator[1:]})" if operator else "a step"
            # Only a step that has not begun has its callback and its context.
            if core.phase == 0 and (core.link & ~TAGS or core.source):
                callback = self.callback(core)
                text += f" on {self.context(core)}" + (f" with the callback {callback}" if callback else "")
        return f"{core.address:#x} {printable(text)}{observed(core.votes >> 8)}, waits for {printable(self.waits_for(core))}"


def scan(memory, debugger, layout, limit=LIMIT):
    """Returns the list of the unresolved promises in the memory of the program, as lines.

    layout: the address of the symbol `overmorrow_layout`.
    """
    version = memory.word(layout + 8 * (LAYOUT_WORDS - 1))
    if version != VERSION:
        raise Unreadable(f"this program has version {version} of the words of a promise; use the script of its library")
    search = Scan(memory, debugger)
    if not search.writable.ranges:
        raise Unreadable("the program does not run, or the debugger does not know its memory")
    search.run()
    # The steps of combinators are left out. The promise that waits through them names the promises that they wait for.
    inner = {each for core in search.cores.values() for each in core.inputs or ()}
    cores = [core for address, core in sorted(search.cores.items()) if address not in inner]
    found = {0: "No unresolved promise was", 1: "1 unresolved promise was"}.get(
        len(cores), f"{len(cores)} unresolved promises were")
    lines = [f"{found} found in {search.size >> 20} MiB of memory."]
    for core in cores[:limit]:
        try:
            lines.append(search.line(core))
        except Unreadable:
            lines.append(f"{core.address:#x} cannot be read")
    if len(cores) > limit:
        lines.append(f"and {len(cores) - limit} more")
    if not search.is_complete:
        limits = f"{MAX_FOUND} promises or {MAX_MEMORY >> 30} GiB"
        lines.append(f"The search ended at its limit of {limits}, so the list is incomplete.")
    return lines
