#!/usr/bin/env python3
"""Instructions per call on the PC, the Cortex-M4F and the Cortex-M7, as one table.

The PC counts with callgrind, the emulated boards with SysTick at a fixed time per
instruction: the same image gives the same numbers in every run.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BOARDS = {"m4": "mps2-an386", "m7": "mps2-an500"}
COST = re.compile(r"^cost (\S+) (\d+) (\d+)$", re.MULTILINE)


def run(command: list[str], **environment: str) -> str:
    done = subprocess.run(command, env=os.environ | environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\ncost_table: failed with code {done.returncode}: "
                 + " ".join(command))
    return done.stdout


def per_call(calls: dict[str, int], counts: dict[str, int]) -> dict[str, float]:
    """Counts less those of the empty loop of the same type, per call."""
    empty = {kind: counts[f"empty/{kind}"] / calls[f"empty/{kind}"] for kind in ("float", "double")}
    return {name: counts[name] / calls[name] - empty[name.split("/")[1]]
            for name in calls if not name.startswith("empty/")}


def count_on_pc(build: pathlib.Path) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        output = run(["valgrind", "--tool=callgrind", "--collect-atstart=no",
                      f"--callgrind-out-file={folder}/count", str(build / "host/tests/cost")])
        counts = {}
        for dump in pathlib.Path(folder).glob("count.*"):
            text = dump.read_text()
            name = re.search(r"Client Request: (\S+)", text)
            total = re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)
            if name and total:
                counts[name[1]] = int(total[1])
    calls = {name: int(n) for name, n, _ in COST.findall(output)}
    if calls.keys() != counts.keys():
        sys.exit(f"cost_table: callgrind did not count {sorted(calls.keys() ^ counts.keys())}")
    return per_call(calls, counts)


def count_on_board(build: pathlib.Path, preset: str) -> dict[str, float]:
    output = run([str(ROOT / "boards/cortex_m/run_in_qemu.sh"), BOARDS[preset],
                  str(build / preset / "tests/cost")], TAUT_QEMU_COUNT="1")
    rows = COST.findall(output)
    return per_call({name: int(calls) for name, calls, _ in rows},
                    {name: int(count) for name, _, count in rows})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, epilog="example: cost_table.py build")
    parser.add_argument("build", type=pathlib.Path, help="folder of the build trees host, m4, m7")
    build = parser.parse_args().build
    columns = {"host": count_on_pc(build), **{board: count_on_board(build, board)
                                              for board in BOARDS}}
    print("instructions per call (host: callgrind, gcc -O2; boards: emulated, gcc -O2)\n")
    print(f"{'function':<24}" + "".join(f"{name:>12}" for name in columns))
    for name in columns["host"]:
        print(f"{name:<24}" + "".join(f"{column[name]:>12,.1f}" for column in columns.values()))


if __name__ == "__main__":
    main()
