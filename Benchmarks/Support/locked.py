"""Counts locked instructions, which read and write a place in memory without interruption by other processors.

Callgrind reports how often the instruction at each address of each file was executed. The bytes at the address show
whether the instruction is locked. On x86-64, these are instructions with a `lock` prefix, and `xchg` with an operand in
memory.
"""

import collections
import platform
import re
import struct
from functools import cache
from pathlib import Path

SUPPORTED = platform.machine() in ("x86_64", "AMD64")

# Options that make callgrind write every line in full, with the addresses of the object file.
OPTIONS = ["--dump-instr=yes", "--dump-line=no", "--compress-strings=no", "--compress-pos=no"]
# The number of callers that a profile distinguishes.
CALLERS = 6

LOCK = 0xF0
# Operand size, address size, repetition, and segments.
OTHER_PREFIXES = {0x66, 0x67, 0xF2, 0xF3, 0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65}
REX = range(0x40, 0x50)
XCHG = {0x86, 0x87}
LONGEST_INSTRUCTION = 15

Place = collections.namedtuple("Place", "object function address")


def total(output):
    """Returns the number of locked instructions that a run executed. `output` is callgrind's file."""
    return sum(count for place, count in executions(output).items() if is_locked(place.object, place.address))


def by_function(output, program):
    """Returns the number for each function of the program, including the functions of libraries that it called.

    A key is the name of the program's function, followed by the names of the library's function that it called and of
    the library's function that contains the instruction. The output must distinguish callers: it has the name of a
    function, followed by the names of its callers, separated by '.
    """
    counts = executions(output)
    own = {place.function.split("'")[0] for place in counts if place.object == program}
    functions = collections.Counter()
    for place, count in counts.items():
        if is_locked(place.object, place.address):
            # A number is the level of a recursion.
            names = [name for name in place.function.split("'") if not name.isdigit()]
            index = next((index for index, name in enumerate(names) if name in own), 0)
            path = [names[index]] + [without_types(name) for name in names[:index]][::-1]
            # The library's functions between the first and the last are left out.
            functions[", in ".join(path[:2]) + (f": {path[-1]}" if len(path) > 2 else "")] += count
    return functions


def without_types(name):
    """Returns the name of a C++ function without parameters and other additions."""
    longer, shorter = None, name
    while longer != shorter:
        longer, shorter = shorter, re.sub(r"<[^<>]*>|\([^()]*\)", "", shorter)
    return (shorter.split() or [name])[-1]


def executions(output):
    """Returns how often each instruction was executed, without the instructions that it called."""
    counts = collections.Counter()
    object = function = None
    is_of_callee = False
    with open(output) as lines:
        for line in lines:
            if line.startswith("0x"):
                if not is_of_callee:
                    address, count = line.split()
                    counts[Place(object, function, int(address, 16))] += int(count)
                is_of_callee = False
            elif line.startswith("calls="):
                is_of_callee = True  # The next line is what the callee cost.
            elif line.startswith("ob="):
                object = line[3:].rstrip("\n")
            elif line.startswith("fn="):
                function = line[3:].rstrip("\n")
    return counts


@cache
def is_locked(object, address):
    code = instruction(object, address)
    prefixes = 0
    while prefixes < len(code) and (code[prefixes] == LOCK or code[prefixes] in OTHER_PREFIXES):
        prefixes += 1
    if LOCK in code[:prefixes]:
        return True
    opcode = code[prefixes:]
    if opcode and opcode[0] in REX:
        opcode = opcode[1:]
    # The upper two bits of the byte after the opcode are set when both operands are registers.
    return len(opcode) > 1 and opcode[0] in XCHG and opcode[1] < 0xC0


def instruction(object, address):
    """Returns the bytes at an address, possibly followed by those of the next instructions."""
    content, segments = loaded(object)
    for start, offset, size in segments:
        if start <= address < start + size:
            place = offset + address - start
            return content[place:min(place + LONGEST_INSTRUCTION, offset + size)]
    return b""


@cache
def loaded(object):
    """Returns the content of a program or library and its loaded segments: their start in memory, their start in the
    file, and their size.

    Empty for what is not in a file, such as what the kernel maps into each process.
    """
    if not Path(object).is_file():
        return b"", []
    content = Path(object).read_bytes()
    if content[:5] != b"\x7fELF\x02":
        return b"", []
    table, = struct.unpack_from("<Q", content, 0x20)
    entry_size, entries = struct.unpack_from("<HH", content, 0x36)
    segments = []
    for index in range(entries):
        kind, _, offset, start, _, size = struct.unpack_from("<IIQQQQ", content, table + index * entry_size)
        if kind == 1:
            segments.append((start, offset, size))
    return content, segments
