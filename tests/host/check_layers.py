#!/usr/bin/env python3
"""Arrows between rooms point one way: no source includes a room it may not depend on.

A row says what a folder may include besides itself; the longest matching prefix counts.
"""

import pathlib
import re
import subprocess
import sys

ALLOWED = {
    "sim_core/assert.h": [],
    "sim_core/math": ["sim_core/assert.h"],
    # The plain reference stands in where CMSIS-DSP is missing.
    "sim_core/dsp": ["sim_core/assert.h", "sim_core/math", "tests/reference"],
    "sim_core/signal": [],
    "sim_core/contact": ["sim_core/assert.h", "sim_core/math"],
    "sim_core/tightener": ["sim_core/assert.h", "sim_core/math"],
    "sim_core/crank": ["sim_core/assert.h", "sim_core/math", "sim_core/signal"],
    "sim_core/drive": ["sim_core/assert.h", "sim_core/math", "sim_core/contact",
                       "sim_core/tightener"],
    "sim_core/roller_chain": ["sim_core/assert.h", "sim_core/math", "sim_core/contact",
                              "sim_core/tightener", "sim_core/drive", "sim_core/crank",
                              "sim_core/signal"],
    "sim_core/reduced_chain": ["sim_core/assert.h", "sim_core/math", "sim_core/contact",
                               "sim_core/tightener", "sim_core/drive", "sim_core/crank",
                               "sim_core/signal"],
    # Rollers, teeth and all forces are the full model's.
    "sim_core/implicit_chain": ["sim_core/math", "sim_core/contact", "sim_core/tightener",
                                "sim_core/drive", "sim_core/crank", "sim_core/signal",
                                "sim_core/roller_chain"],
    # A block is measured on the full model when it is made.
    "sim_core/reduced_chain/calibrate.cpp": ["sim_core/reduced_chain", "sim_core/math",
                                             "sim_core/drive", "sim_core/crank",
                                             "sim_core/roller_chain"],
    "sim_core/monitor": ["sim_core/math", "sim_core/signal"],
    "sim_core/twin": ["sim_core/assert.h", "sim_core/math", "sim_core/signal", "sim_core/crank",
                      "sim_core/roller_chain", "sim_core/implicit_chain",
                      "sim_core/reduced_chain", "sim_core/monitor"],
    "sim_core/analysis": ["sim_core/math", "sim_core/drive", "sim_core/roller_chain"],
    "hal": ["sim_core/assert.h", "sim_core/signal"],
    "firmware": ["sim_core", "hal"],
    "boards": ["sim_core", "hal", "firmware"],
    "host_tools": ["sim_core", "hal", "firmware", "boards"],
    "tests": ["sim_core", "hal", "firmware", "boards", "host_tools"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def lies_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def room_of(path: str) -> str | None:
    return max((room for room in ALLOWED if lies_in(path, room)), key=len, default=None)


def check(root: pathlib.Path, path: str) -> list[str]:
    room = room_of(path)
    if room is None:
        return [f"{path}: lies in no room that {__file__} knows; add a row for its folder"]
    problems = []
    for number, line in enumerate((root / path).read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if not match or room_of(match[1]) is None:  # other quoted headers: a library's
            continue
        if not any(lies_in(match[1], other) for other in [room, *ALLOWED[room]]):
            allowed = ", ".join(ALLOWED[room]) or "nothing else"
            problems.append(f"{path}:{number}: {room} includes {match[1]}; it may include {allowed}")
    return problems


def main() -> int:
    root = pathlib.Path(__file__).resolve().parents[2]
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.h", "*.cpp"],
        cwd=root, check=True, capture_output=True, text=True).stdout.split()
    present = [path for path in listed if (root / path).exists()]
    problems = [problem for path in present for problem in check(root, path)]
    print(*problems, sep="\n", end="\n" if problems else "")
    print(f"layers: {len(present)} files, {len(problems)} forbidden includes")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
