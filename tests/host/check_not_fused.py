#!/usr/bin/env python3
"""Looks through object code for fused multiply-adds, which would change the bits of a step."""
import re
import subprocess
import sys

FUSED = re.compile(r"\bvfn?m(?:add|sub)\w*")


def main() -> int:
    library = sys.argv[1]
    code = subprocess.run(["objdump", "--disassemble", "--no-show-raw-insn", library],
                          check=True, capture_output=True, text=True).stdout
    function = "?"
    found = 0
    for line in code.splitlines():
        if line.endswith(">:"):
            function = line.split("<", 1)[1][:-2]
        elif FUSED.search(line):
            found += 1
            print(f"{function}: {line.strip()}")
    wide = code.count("%ymm")
    print(f"{library}: {wide} operands of 256 bits, {found} fused multiply-adds")
    if wide == 0:
        print("no vector code: is this the library that was meant?")
    return 0 if found == 0 and wide > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
