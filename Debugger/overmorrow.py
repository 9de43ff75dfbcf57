"""Lists the pending promises of a stopped process or of a core dump, in gdb and in lldb.

  (gdb) source Debugger/overmorrow.py
  (gdb) overmorrow pending

  (lldb) command script import Debugger/overmorrow.py
  (lldb) overmorrow pending

`overmorrow pending NUMBER` lists at most this number of promises, the oldest first.

A program at the level `off`, the default of release builds, has no list of watched promises. Then the command searches
the memory of the program for unresolved promises, as `overmorrow scan` and `overmorrow scan NUMBER` always do.

The script reads memory only. It calls no function of the program, takes no lock and needs no debug information, but
shows more if there is some. It finds what it reads by the C symbol `overmorrow_layout`. The other files of this folder
belong to the script.
"""

import os
import re
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from overmorrow_memory import LIMIT, Memory, Unreadable
from overmorrow_scan import scan
from overmorrow_watched import read_layout, watched


class Debugger:
    """What the script asks a debugger.

    read(address, count): the bytes of the program's memory, or raises `Unreadable`.
    symbol(name): the address of a C symbol, or `None`.
    function(address): the mangled name of the function at an address and the offset in it, or `(None, 0)`.
    line(address): the path and the number of the line of an address, or `None`.
    code(), writable(): the ranges of addresses of functions, and of memory that the program can change.
    is_here: whether this is a process of this machine, and no core dump.
    """

    is_here = False

    def now(self):
        """Returns the time of the clock of the program in seconds, or `None`. It is the continuous clock of Swift."""
        clock = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC_RAW", None))
        return time.clock_gettime(clock) if self.is_here and clock is not None else None


def answer(command, debugger, limit=LIMIT):
    """Returns the lines of the command `pending` or `scan`."""
    memory = Memory(debugger.read)
    address = debugger.symbol("overmorrow_layout")
    if address is None:
        return ["The symbol overmorrow_layout was not found: Overmorrow is not in this program, or its symbols were stripped."]
    try:
        layout = read_layout(memory, address) if command == "pending" else None
        if layout is not None:
            return watched(memory, debugger, *layout, limit)
        lines = scan(memory, debugger, address, limit)
        if command == "pending":
            lines.insert(0, "This program has watched no promise, so its memory is searched.")
        return lines
    except Unreadable as error:
        return [f"The promises cannot be read: {error}"]


def run(arguments, debugger):
    """Returns the output of the command with these arguments."""
    words = arguments.split()
    if words[:1] not in (["pending"], ["scan"]) or len(words) > 2 or not all(each.isdigit() for each in words[1:]):
        return "Usage: overmorrow pending [NUMBER], or overmorrow scan [NUMBER]"
    return "\n".join(answer(words[0], debugger, *map(int, words[1:])))


try:
    import gdb
except ImportError:
    gdb = None

if gdb:

    class GDB(Debugger):
        def __init__(self):
            connection = getattr(gdb.selected_inferior(), "connection", None)
            self.is_here = connection is not None and connection.type == "native"

        @staticmethod
        def output(command):
            try:
                return gdb.execute(command, to_string=True)
            except gdb.error:
                return ""

        def read(self, address, count):
            try:
                return bytes(gdb.selected_inferior().read_memory(address, count))
            except gdb.error as error:
                raise Unreadable(error) from error

        def symbol(self, name):
            found = re.search(r"0x[0-9a-f]+", self.output(f"info address {name}"))
            return int(found[0], 16) if found else None

        def function(self, address):
            found = re.match(r"(.+?)(?: \+ (\d+))? in section ", self.output(f"info symbol {address:#x}"))
            return (found[1], int(found[2] or 0)) if found else (None, 0)

        def line(self, address):
            found = gdb.find_pc_line(address)
            return (found.symtab.filename, found.line) if found.symtab and found.line else None

        def code(self):
            return self.ranges("info files", r"^\s*0x(\w+) - 0x(\w+) is \.text\b")

        def writable(self):
            process = self.ranges("info proc mappings", r"^\s*0x(\w+)\s+0x(\w+)\s.*\srw")
            # The mappings of a core dump have no rights, but its sections do.
            sections = r"^.*?0x(\w+)->0x(\w+) at 0x\w+: load\w+ (?!.*READONLY).*HAS_CONTENTS"
            return process or self.ranges("maintenance info sections", sections)

        def ranges(self, command, pattern):
            found = re.finditer(pattern, self.output(command), re.MULTILINE)
            return [(int(each[1], 16), int(each[2], 16)) for each in found]

    class OvermorrowCommand(gdb.Command):
        """Lists the pending promises of the program: overmorrow pending [NUMBER], or overmorrow scan [NUMBER]"""

        def __init__(self):
            super().__init__("overmorrow", gdb.COMMAND_DATA)

        def invoke(self, arguments, from_tty):
            gdb.write(run(arguments, GDB()) + "\n")

    OvermorrowCommand()


class LLDB(Debugger):
    def __init__(self, lldb, target, process):
        self.lldb, self.target, self.process = lldb, target, process
        self.is_here = "core" not in process.GetPluginName() and target.GetPlatform().GetName() == "host"

    def read(self, address, count):
        error = self.lldb.SBError()
        data = self.process.ReadMemory(address, count, error)
        if not error.Success() or data is None or len(data) != count:
            raise Unreadable(f"{count} bytes at {address:#x}: {error.GetCString()}")
        return data

    def symbol(self, name):
        for found in self.target.FindSymbols(name):
            address = found.GetSymbol().GetStartAddress().GetLoadAddress(self.target)
            if address != self.lldb.LLDB_INVALID_ADDRESS:
                return address
        return None

    def function(self, address):
        symbol = self.target.ResolveLoadAddress(address).GetSymbol()
        if not symbol.IsValid():
            return None, 0
        return symbol.GetMangledName() or symbol.GetName(), address - symbol.GetStartAddress().GetLoadAddress(self.target)

    def line(self, address):
        entry = self.target.ResolveLoadAddress(address).GetLineEntry()
        return (entry.GetFileSpec().fullpath, entry.GetLine()) if entry.IsValid() and entry.GetLine() else None

    def code(self):
        sections = [section for module in self.target.module_iter() for section in module.section_iter()]
        ranges = []
        while sections:
            section = sections.pop()
            sections += [section.GetSubSectionAtIndex(index) for index in range(section.GetNumSubSections())]
            start = section.GetLoadAddress(self.target)
            if section.GetName() in (".text", "__text") and start != self.lldb.LLDB_INVALID_ADDRESS:
                ranges.append((start, start + section.GetByteSize()))
        return ranges

    def writable(self):
        regions, ranges = self.process.GetMemoryRegions(), []
        for index in range(regions.GetSize()):
            region = self.lldb.SBMemoryRegionInfo()
            if regions.GetMemoryRegionAtIndex(index, region) and region.IsReadable() and region.IsWritable():
                ranges.append((region.GetRegionBase(), region.GetRegionEnd()))
        return ranges


def lldb_command(debugger, arguments, context, result, _):
    """Lists the pending promises of the program: overmorrow pending [NUMBER], or overmorrow scan [NUMBER]"""
    import lldb

    result.PutCString(run(arguments, LLDB(lldb, context.GetTarget(), context.GetProcess())))


def __lldb_init_module(debugger, _):
    debugger.HandleCommand("command script add -o -f overmorrow.lldb_command overmorrow")
