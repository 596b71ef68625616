#!/usr/bin/env python3
"""Static upper bound of the stack a linked Cortex-M image can use.

Calls and frames come from the disassembly of the image, so newlib and libgcc are included; gcc's
.su files (-fstack-usage) cross-check the frames. What has no bound is an error, never a guess.
Frame rule: sp is followed through every jump inside a function, the frame is its greatest depth.
A tail call counts as a call with the frame still in place, which can only overestimate.
Not seen: a second stack (PSP), `msr msp`, return addresses forged by hand-written assembly.
"""
import argparse
import bisect
import fnmatch
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

TOOLS = "arm-none-eabi-"
# Exception entry with FP state: 26 words (Armv7-M B1.5.7), and one more to align sp to 8.
EXCEPTION_FRAME_BYTES = 104 + 4

MNEMONIC = re.compile(
    r"(b|bl|bx|blx|cbn?z|tb[bh]|udf|v?push|v?pop|v?stmdb|v?ldmia|ldmdb|strd?|ldrd?|addw?|subw?|mov)"
    r"(eq|ne|cs|cc|hs|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)?(?:\.\w+)*")
LINE = re.compile(r"\s*([0-9a-f]+):\t(\S+)(?:\s+([^@;]*))?(?:[@;](.*))?")
SYMBOL = re.compile(r"^([0-9a-f]{8}) (.{7}) \S+\t([0-9a-f]+) (?:\.\w+ )?(\S+)$", re.M)
POINTEE = re.compile(r"\b([0-9a-f]+) <")
DATA_BYTES = {".byte": 1, ".short": 2, ".word": 4}


class UsageError(Exception):
    """Called wrongly, or an input is missing: exit status 2."""


@dataclass(eq=False)
class Instruction:
    address: int
    op: str                   # mnemonic; of those in MNEMONIC, without condition and width
    conditional: bool
    operands: str
    pointee: int | None       # branch target or address of the literal, as printed by objdump
    next: int | None = None   # address of the instruction behind it

    def writes_pc(self):
        loads = self.op in ("pop", "ldmia", "ldmdb") and re.search(r"\bpc\b", self.operands)
        jumps = self.op in ("b", "bx", "tbb", "tbh") or self.operands.startswith("pc,")
        return bool(loads or jumps)

    def is_padding(self):
        return self.op.startswith("nop") or (self.op, self.operands) == ("movs", "r0, r0")

    def __str__(self):
        return f"`{self.op} {self.operands}` at {self.address:#x}"


@dataclass(eq=False)
class Function:
    address: int
    size: int = 0             # 0: the symbol gives none, the code reaches up to the next symbol
    names: list[str] = field(default_factory=list)   # all aliases, mangled and demangled
    code: list[Instruction] = field(default_factory=list)
    frame: int = 0
    calls: set[int] = field(default_factory=set)     # addresses of functions
    indirect: Instruction | None = None              # a call or jump through a pointer
    problems: list[str] = field(default_factory=list)
    in_su: bool = False

    @property
    def name(self):
        return self.names[-1]

    def matches(self, patterns):
        return any(fnmatch.fnmatchcase(name, p) for name in self.names for p in patterns)


# ---- the image

def run_tool(tool, *arguments, stdin=None):
    try:
        return subprocess.run([TOOLS + tool, *arguments], input=stdin, check=True,
                              capture_output=True, text=True).stdout
    except FileNotFoundError:
        raise UsageError(f"{TOOLS}{tool} not found: install binutils-arm-none-eabi") from None
    except subprocess.CalledProcessError as failure:
        raise UsageError(failure.stderr.strip()) from None


class Image:
    def __init__(self, path):
        self.functions, self.symbols = {}, {}
        self.instructions, self.data = {}, {}   # by address; data are single bytes
        self._read_symbols(SYMBOL.findall(run_tool("objdump", "-t", path)))
        self._read_code(run_tool("objdump", "-d", "-z", "--no-show-raw-insn", path))

    def _read_symbols(self, rows):
        demangled = run_tool("c++filt", "-p", stdin="\n".join(row[3] for row in rows)).splitlines()
        for (address, flags, size, mangled), name in zip(rows, demangled):
            self.symbols[mangled] = start = int(address, 16)
            if "F" in flags:
                function = self.functions.setdefault(start, Function(start))
                function.size = max(function.size, int(size, 16))
                # gcc's own spelling, without a blank, so that names can be listed in a line.
                function.names += [mangled, name.replace("(anonymous namespace)", "{anonymous}")]
        self.starts = sorted(self.functions)

    def _read_code(self, listing):
        previous = None
        for match in filter(None, map(LINE.fullmatch, listing.splitlines())):
            address, mnemonic, operands = int(match[1], 16), match[2], (match[3] or "").strip()
            if width := DATA_BYTES.get(mnemonic):
                value = int(operands, 16).to_bytes(width, "little")
                self.data.update((address + i, byte) for i, byte in enumerate(value))
                continue
            op, condition = m.groups() if (m := MNEMONIC.fullmatch(mnemonic)) else (mnemonic, None)
            pointee = POINTEE.search(match[0])
            instruction = Instruction(address, op, bool(condition), operands,
                                      int(pointee[1], 16) if pointee else None)
            if self._store(instruction):
                if previous:
                    previous.next = address
                previous = instruction

    def _store(self, instruction):
        address = instruction.address
        owner = self.owner(address)
        if not owner or (owner.size and address >= owner.address + owner.size):
            # No symbol covers it: alignment, or a nameless function (newlib's strcmp has one).
            if instruction.is_padding():
                return False
            owner = self.functions[address] = Function(address, names=[f"code_at_{address:x}"])
            bisect.insort(self.starts, address)
        owner.code.append(instruction)
        self.instructions[address] = instruction
        return True

    def owner(self, address):
        index = bisect.bisect_right(self.starts, address)
        return self.functions[self.starts[index - 1]] if index else None

    def table(self, base, width):
        """The unsigned numbers stored from base up to the next instruction."""
        while all(base + i in self.data for i in range(width)):
            yield int.from_bytes((self.data[base + i] for i in range(width)), "little")
            base += width

    def find(self, name):
        for function in self.functions.values():
            if name in function.names:
                return function
        raise UsageError(f"no function {name} in the image: check --root and --interrupt")


# ---- one function: its frame and its calls

def register_bytes(operands):
    total = 0
    registers = operands[operands.index("{"):]
    for kind, first, last in re.findall(r"\b([a-z]+)(\d*)(?:-[a-z](\d+))?", registers):
        total += (int(last) - int(first) + 1 if last else 1) * (8 if kind == "d" else 4)
    return total


def sp_copies(function):
    """Registers sp is saved in; the value is how far below sp they may point."""
    copies = {}
    for instruction in function.code:
        if instruction.op in ("mov", "add", "addw"):
            if match := re.fullmatch(r"(\w+), sp(, #\d+)?", instruction.operands):
                copies[match[1]] = 0
        elif match := re.fullmatch(r"(\w+), (\w+), #7", instruction.operands):
            if instruction.op.startswith("bic") and match[2] in copies:
                copies[match[1]] = 4   # `interrupt` functions align sp, a multiple of 4, to 8
    return copies


def sp_lowering(instruction, copies):
    """Bytes by which sp goes down (negative: up), None when they are not a constant."""
    op, operands = instruction.op, instruction.operands
    if op in ("push", "vpush") or (op in ("stmdb", "vstmdb") and operands.startswith("sp!")):
        return register_bytes(operands)
    if op in ("pop", "vpop") or (op in ("ldmia", "vldmia") and operands.startswith("sp!")):
        return -register_bytes(operands)
    if match := re.search(r"\[sp, #(-?\d+)\]!|\[sp\], #(-?\d+)", operands):
        return -int(match[1] or match[2])
    if not re.match(r"sp!?, [^{]", operands) or re.match("str|cmp|cmn|tst|teq", op):
        return 0   # sp is not written
    if match := re.fullmatch(r"sp, (?:sp, )?#(\d+)", operands):
        return int(match[1]) if op.startswith("sub") else -int(match[1])
    restore = re.fullmatch(r"sp, (\w+)" if op == "mov" else r"sp, (r\d+), #\d+", operands)
    return copies.get(restore[1]) if restore else None


def jump_targets(image, function, instruction):
    """Where it may go besides the next instruction; None when a pointer decides."""
    op, operands = instruction.op, instruction.operands
    if op in ("b", "bl", "cbz", "cbnz"):
        return [instruction.pointee]
    if op in ("tbb", "tbh") and operands.startswith("[pc,"):
        base = instruction.address + 4
        targets = [base + 2 * entry for entry in image.table(base, 1 if op == "tbb" else 2)]
        # Padding behind the table reads as entries too; real ones lead to the function's own code.
        return [t for t in targets if t in image.instructions and image.owner(t) is function]
    if op == "ldr" and operands.startswith("pc, [pc") and instruction.pointee:   # a veneer
        return [word & ~1 for word in list(image.table(instruction.pointee, 4))[:1]]
    if op == "ldr" and (match := re.fullmatch(r"pc, \[(\w+), \w+, lsl #2\]", operands)):
        # The wide table of a switch: the instruction before forms its address.
        before = function.code[function.code.index(instruction) - 1]
        if match[1] == "pc" or before.operands.startswith(f"{match[1]}, pc,"):
            base = instruction.address + 4 & ~3 if match[1] == "pc" else before.pointee
            return [word & ~1 for word in image.table(base, 4) if word & ~1 in image.instructions]
    returns = (op, operands) in (("bx", "lr"), ("mov", "pc, lr")) or op == "pop" \
        or re.match(r"sp!|pc, \[sp", operands)
    return [] if returns or not (op == "blx" or instruction.writes_pc()) else None


def follow(image, function, instruction):
    """Addresses in the function that run next; where it leaves the function is noted there."""
    targets = jump_targets(image, function, instruction)
    if targets is None:
        function.indirect, targets = instruction, []
    inside = []
    for target in targets:
        if target not in image.instructions:
            function.problems.append(
                f"{function.name}: {instruction} leads to {target:#x}, no code of the image:"
                " have the linker script mark that section executable")
        elif image.owner(target) is not function or \
                (instruction.op == "bl" and target == function.address):
            function.calls.add(image.owner(target).address)
        else:
            inside.append(target)   # also `bl` to its middle, a subroutine in assembly
    stops = (instruction.writes_pc() or instruction.op == "udf") and not instruction.conditional
    if not stops and instruction.next is not None:
        behind = image.owner(instruction.next)
        # At the end of a sized function a call is one that never returns. Else it falls through.
        sized = function.size and function.address + function.size <= behind.address
        if behind is function:
            inside.append(instruction.next)
        elif not (sized and (instruction.op in ("bl", "blx") or instruction.is_padding())):
            function.calls.add(behind.address)
    return inside


def analyse(image, function):
    """Sets the function's frame, calls and problems by following sp through its code."""
    copies = sp_copies(function)
    lowering = {i.address: sp_lowering(i, copies) for i in function.code}
    for address in [a for a, value in lowering.items() if value is None]:
        lowering[address] = 0
        if "longjmp" not in function.names:   # which only returns to a frame that is counted anyway
            function.problems.append(
                f"{function.name}: {image.instructions[address]} moves sp by no constant:"
                " use arrays of fixed size, no alloca")
    limit = sum(value for value in lowering.values() if value > 0)   # deeper takes a loop
    depths = {}
    for entry in function.code:
        if entry.address in depths or entry.is_padding():
            continue
        # Code that no jump reaches may be the label of a computed one: assume the deepest point.
        todo = [(entry.address, function.frame if function.indirect else 0)]
        while todo:
            address, depth = todo.pop()
            if depths.get(address, -1) >= depth:
                continue
            depths[address] = depth
            instruction, change = image.instructions[address], lowering[address]
            if change > 0 or not instruction.conditional:
                depth = max(0, depth + change)
            if depth > limit:
                function.problems.append(f"{function.name}: {instruction} lowers sp in a loop:"
                                         " balance every push with a pop")
                return
            function.frame = max(function.frame, depth)
            todo += [(target, depth) for target in follow(image, function, instruction)]


# ---- what the compiler and the list of indirect calls add

def plain_name(name):
    """`T ns::f(const A<T>&) [with T = int]` in a .su file and `ns::f<int>` both give `ns::f`."""
    name = re.sub(r" \[with .*", "", name)
    while name != (shorter := re.sub(r"<[^<>]*>", "", name)):
        name = shorter
    return re.sub(r"\(.*", "", name).split(" ")[-1]


def read_stack_usage(folder):
    """{plain name: [(bytes, file:line, without bound?)]}: overloads and instances share a name."""
    usage = {}
    text = "".join(path.read_text() for path in sorted(Path(folder).rglob("*.su")))
    for place, name, size, kind in re.findall(r"^(.*?:\d+):\d+:(.*)\t(\d+)\t(\S+)$", text, re.M):
        usage.setdefault(plain_name(name), []).append((int(size), place, kind == "dynamic"))
    if not usage:
        raise UsageError(f"no .su files under {folder}: compile with -fstack-usage")
    return usage


def check_stack_usage(function, usage):
    entries = [e for name in set(map(plain_name, function.names)) for e in usage.get(name, [])]
    sizes = [size for size, _, _ in entries]
    function.in_su = bool(entries)
    if entries and function.frame not in sizes:
        function.frame = max(function.frame, *sizes)
    for place in [place for _, place, without_bound in entries if without_bound]:
        function.problems = [f"{place}: {function.name} has a frame without bound:"
                             " use arrays of fixed size, no alloca"]


def read_indirect(path):
    rules = []
    for number, line in enumerate(Path(path).read_text().splitlines(), 1):
        if line := line.split("#")[0].strip():
            if not (match := re.fullmatch(r"(\S+):\s+(.+)", line)):
                raise UsageError(f"{path}:{number}: write `caller: target target ...`")
            rules.append((match[1], match[2].split()))
    return rules


def resolve_indirect(image, function, rules, path):
    patterns = [p for caller, targets in rules if function.matches([caller]) for p in targets]
    targets = {f.address for f in image.functions.values() if f.matches(patterns)}
    function.calls |= targets
    if not patterns:
        function.problems.append(f"{function.name} calls through a pointer ({function.indirect}): "
                                 f"add the line `{function.name}: <its targets>` to {path}")
    elif not targets and "nothing" not in patterns:
        function.problems.append(f"{function.name}: the image has none of the targets {patterns} "
                                 f"that {path} lists: correct them, or add the word `nothing`")


# ---- the bound

class CallGraph:
    def __init__(self, image):
        self.image = image
        self.problems = []
        self.deepest = {}   # address -> (bytes, deepest path from there)

    def visit(self, function, callers=()):
        if function.address in self.deepest:
            return self.deepest[function.address]
        way = [f.name for f in (*callers, function)]
        if function in callers:
            cycle = " -> ".join(way[callers.index(function):])
            self.problems.append(f"recursion has no bound: {cycle}: make it a loop")
            return 0, []
        reached = f"\n  reached by {' -> '.join(way)}"
        self.problems += [problem + reached for problem in function.problems]
        below = [self.visit(self.image.functions[call], (*callers, function))
                 for call in sorted(function.calls)]
        depth, path = max(below, key=lambda result: result[0], default=(0, []))
        self.deepest[function.address] = function.frame + depth, [function, *path]
        return self.deepest[function.address]


def print_report(path, handlers, reached, options):
    print(f"{'deepest path':58} {'frame':>7} {'sum':>7}")
    total = 0
    for function in path:
        total += function.frame
        print(f"  {function.name[:56]:56} {function.frame:7} {total:7}")
    print(f"interrupts: {options.nesting} nested, {EXCEPTION_FRAME_BYTES} saved by each, and used")
    for cost, name in handlers[:max(options.nesting, options.top)]:
        print(f"  {name[:56]:56} {cost:7}")
    checked = sum(function.in_su for function in reached)
    print(f"largest frames of {len(reached)} functions, {checked} of them in .su files")
    for function in sorted(reached, key=lambda f: -f.frame)[:options.top]:
        print(f"  {function.name[:56]:56} {function.frame:7}")


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description="Upper bound of a Cortex-M image's stack use.")
    add = parser.add_argument
    add("image", help="linked ELF file")
    add("--objects", required=True, help="folder searched for gcc's .su files")
    add("--indirect", default=Path(__file__).with_name("indirect_calls.txt"), metavar="FILE",
        help="targets of calls through pointers (default: indirect_calls.txt beside this script)")
    add("--stack-bytes", type=int, help="stack size (default: __stack_top - __stack_bottom)")
    add("--root", action="append", help="entry point, repeatable (default: Reset_Handler)")
    add("--interrupt", action="append", help="repeatable (default: all *_Handler, *_IRQHandler)")
    add("--nesting", type=int, default=2, help="handlers active at once (default: 2, because the"
        " priorities of this firmware let one ordinary interrupt and one fault nest)")
    add("--top", type=int, default=5, help="handlers and frames to list (default: 5)")
    return parser.parse_args(arguments)


def bound(options):
    for path in (options.image, options.objects, options.indirect):
        if not Path(path).exists():
            raise UsageError(f"{path} not found")
    image = Image(options.image)
    usage, rules = read_stack_usage(options.objects), read_indirect(options.indirect)
    top, bottom = (image.symbols.get(name, 0) for name in ("__stack_top", "__stack_bottom"))
    available = options.stack_bytes or top - bottom
    if available <= 0:
        raise UsageError("how large is the stack? Define __stack_bottom and __stack_top in the"
                         " linker script, or give --stack-bytes")
    for function in image.functions.values():
        analyse(image, function)
        check_stack_usage(function, usage)
        if function.indirect:
            resolve_indirect(image, function, rules, options.indirect)

    graph = CallGraph(image)
    roots = [image.find(name) for name in options.root or ["Reset_Handler"]]
    depth, path = max(map(graph.visit, roots), key=lambda result: result[0])
    # A name each, not a function each: two vectors that share a default handler can nest as well.
    names = options.interrupt or {name for f in image.functions.values() if f not in roots
                                  for name in f.names if re.search("_(IRQ)?Handler$", name)}
    handlers = sorted(((graph.visit(image.find(name))[0], name) for name in names), reverse=True)
    if graph.problems:
        print("\n".join(f"error: {problem}" for problem in graph.problems), file=sys.stderr)
        return 1
    total = depth + sum(cost for cost, _ in handlers[:options.nesting])
    total += options.nesting * EXCEPTION_FRAME_BYTES
    print_report(path, handlers, [image.functions[a] for a in graph.deepest], options)
    percent = 100 * total / available
    print(f"stack bound: {total} bytes of {available} ({percent:.1f} %)", flush=True)
    if total > available:
        print(f"error: the stack is {total - available} bytes too small: shorten the deepest path,"
              " or enlarge the stack", file=sys.stderr)
    return int(total > available)


def main(arguments=None):
    try:
        return bound(parse_arguments(arguments))
    except UsageError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
