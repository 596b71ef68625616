#!/usr/bin/env python3
"""Instructions of a PC's ticks under a flood of XCP packets, by callgrind: flood_cost.py XCP_FLOOD

Those of the program, not of the kernel. Fails where the worst flooded tick costs more than
MOST_ABOVE_IDLE above the worst without a flood.
"""

import sys

from callgrind import run_counted

# Four datagrams of up to 300 packets, all but four of them only counted; four packets handled.
MOST_ABOVE_IDLE = 25_000


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit("usage: flood_cost.py XCP_FLOOD, the path of that program")
    output, dumps = run_counted(sys.argv[1], "count")
    print("".join(line + "\n" for line in output.splitlines() if not line.startswith("==")), end="")
    ticks: dict[str, list[int]] = {}
    for dump in dumps:
        ticks.setdefault(dump.name, []).append(dump.instructions)
    idle = max(ticks["no_flood"])
    for name, counts in sorted(ticks.items()):
        print(f"{name}: worst of {len(counts)} ticks {max(counts):,} instructions, "
              f"{max(counts) - idle:,} above the worst without a flood")
    above = max(max(counts) for counts in ticks.values()) - idle
    if len(ticks) < 4 or above > MOST_ABOVE_IDLE:
        print(f"FAILED: {above:,} above, stated {MOST_ABOVE_IDLE:,}; floods counted: {len(ticks)}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
