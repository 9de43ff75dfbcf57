"""Reads words, Swift values and the words of cores from the memory of a stopped process or of a core dump."""

import re
import struct

# The largest numbers of elements of one array, and of bytes of one text.
MAX_INPUTS, MAX_TEXT = 10_000, 4096
# The largest number of inputs in one line.
MAX_SHOWN = 10
# The default number of promises in a list.
LIMIT = 1000

# The words of a core, in the order of `CoreState`: its state, its link and, in half a word, its votes.
STATE, LINK, VOTES = 0, 8, 16
# Of the state word (`StateWord`): resolved or not, and the phase while unresolved.
RESOLVED, PHASE, CLAIMED, ADOPTING = 0b100, 0b011, 0b001, 0b010
# Of the link word (`LinkWord`): the kind, the kind of a side table, and the bits beside the address.
KIND, MOVED, TAGS = 0b011, 0b010, 0b111


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

    def c_string(self, address):
        """Returns the text before the first byte 0. The text may end at the end of readable memory."""
        text = b""
        while len(text) < MAX_TEXT and not text.endswith(b"\0"):
            text += self.read(address + len(text), 1)
        return text.rstrip(b"\0").decode("utf-8", "replace")

    def array(self, address):
        """Returns the words of an array of words, whose buffer has the count in its third word."""
        buffer = self.word(address)
        count = self.word(buffer + 16) if buffer else 0
        return self.words(buffer + 32, min(count, MAX_INPUTS)) if count else ()

    def cores(self, steps, lists, cores):
        """Returns the cores of the steps through which a promise waits (`WaitingSteps`), for the offsets of two arrays."""
        found = []
        for each in self.array(steps + lists):
            if len(found) < MAX_INPUTS:
                found += self.array(each + cores)
        return found


def printable(text):
    """Returns the text with a symbol in place of each control character."""
    return "".join(chr(0x2400 + ord(each)) if ord(each) < 32 else "\u2421" if ord(each) == 127 else each for each in text)


def observed(number):
    return {0: "", 1: ", 1 observer"}.get(number, f", {number} observers")


def shown(inputs):
    """Returns the first of these inputs, and the number of the others."""
    rest = [f"{len(inputs) - MAX_SHOWN} more"] if len(inputs) > MAX_SHOWN else []
    return " and ".join(inputs[:MAX_SHOWN] + rest) or "its inputs"


def is_own(function):
    """Returns whether a function belongs to a module of the library or to the standard library, or to an extension of one of
    their types."""
    return re.match(r"\$s(s|S|\d+Overmorrow)|overmorrow_", function) is not None


def is_thunk(function):
    """Returns whether the compiler has made this function. The line of such a function is that of other code."""
    return re.search(r"T[AR](\.\d+)?$|_TR|TR\d", function or "") is not None
