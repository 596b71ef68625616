#!/usr/bin/env python3
"""Instructions per call on the PC, the Cortex-M4F and the Cortex-M7, and the memory of the reduced
chain and of a twin with it, as tables.

The PC counts with callgrind, the emulated boards with SysTick at a fixed time per
instruction: the same image gives the same numbers in every run.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
from typing import NamedTuple

from callgrind import run_counted

ROOT = pathlib.Path(__file__).resolve().parents[2]
BOARDS = {"m4": "mps2-an386", "m7": "mps2-an500"}
COST = re.compile(r"^cost (\S+) (\d+) (\d+)$", re.MULTILINE)
EACH = re.compile(r"^each (\S+) (\d+) (\d+) (\d+)$", re.MULTILINE)
BYTES = re.compile(r"^bytes (\S+) (\d+)$", re.MULTILINE)
STEP = "roller_step"
REDUCED_STEP = ("_ZN4taut13reduced_chain4stepERKNS0_12ReducedModelERKNS_5crank6MotionIfEE"
                "RNS0_12ReducedStateERNS0_14ReducedScratchE")
KINDS = {"double": "double", "float": "float forces"}


class Calls(NamedTuple):
    """Instructions of calls that were counted one by one."""
    calls: int
    mean: float
    slowest: float


class Machine(NamedTuple):
    functions: dict[str, float]  # of calls in a loop
    chains: dict[str, Calls]
    bytes: dict[str, int]
    vector_unit: bool


def run(command: list[str], **environment: str) -> str:
    done = subprocess.run(command, env=os.environ | environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\ncost_table: failed with code {done.returncode}: "
                 + " ".join(command))
    return done.stdout


def kind_of(name: str) -> str:
    return name.split("/")[1]


def per_call(calls: dict[str, int], counts: dict[str, int]) -> dict[str, float]:
    """Counts less those of the empty loop of the same type, per call."""
    empty = {kind: counts[f"empty/{kind}"] / calls[f"empty/{kind}"] for kind in ("float", "double")}
    return {name: counts[name] / calls[name] - empty[kind_of(name)]
            for name in calls if not name.startswith("empty/")}


def without_counter(counted: dict[str, Calls]) -> dict[str, Calls]:
    """Less what the counter itself takes in each of them."""
    nothing = {kind: counted[f"roller_nothing/{kind}"].mean for kind in KINDS}
    return {name: Calls(calls.calls, calls.mean - nothing[kind_of(name)],
                        calls.slowest - nothing[kind_of(name)])
            for name, calls in counted.items()}


def bytes_of(output: str) -> dict[str, int]:
    return {name: int(size) for name, size in BYTES.findall(output)}


def bytes_of_code(build: pathlib.Path) -> dict[str, int]:
    """Flash of the reduced chain's files with what they inline, and the stack of a step."""
    sizes = run(["arm-none-eabi-size", str(build / "sim_core/libsim_core_reduced_chain.a")])
    text = {row.split()[5]: int(row.split()[0]) for row in sizes.splitlines()[1:]}
    bound = run([str(ROOT / "boards/cortex_m/stack_bound.py"), "--root", REDUCED_STEP,
                 "--nesting", "0", "--objects", str(build), str(build / "tests/cost")])
    return {"reduced_step_code": text["step.cpp.obj"] + text["tensions.cpp.obj"],
            "reduced_predict_code": text["outputs.cpp.obj"],
            "reduced_step_stack": int(re.search(r"stack bound: (\d+)", bound)[1])}


def count_on_pc(build: pathlib.Path) -> Machine:
    counts: dict[str, list[int]] = {}
    vector_unit = False
    output, dumps = run_counted(str(build / "host/tests/cost"))
    for dump in dumps:
        counts.setdefault(dump.name, []).append(dump.instructions)
        vector_unit |= dump.name.startswith(STEP) and "[clone .avx2]" in dump.text
    loops = {name: int(calls) for name, calls, _ in COST.findall(output)}
    each = {name: int(calls) for name, calls, _, _ in EACH.findall(output)}
    wanted = dict.fromkeys(loops, 1) | each
    missing = [name for name in wanted | counts if len(counts.get(name, [])) != wanted.get(name)]
    if missing:
        sys.exit(f"cost_table: callgrind did not count {sorted(missing)}")
    return Machine(per_call(loops, {name: counts[name][0] for name in loops}),
                   without_counter({name: Calls(calls, sum(counts[name]) / calls, max(counts[name]))
                                    for name, calls in each.items()}),
                   bytes_of(output), vector_unit)


def count_on_board(build: pathlib.Path, preset: str) -> Machine:
    output = run([str(ROOT / "boards/cortex_m/run_in_qemu.sh"), BOARDS[preset],
                  str(build / preset / "tests/cost")], TAUT_QEMU_COUNT="1")
    rows = COST.findall(output)
    return Machine(per_call({name: int(calls) for name, calls, _ in rows},
                            {name: int(count) for name, _, count in rows}),
                   without_counter({name: Calls(int(calls), int(count) / int(calls), int(slowest))
                                    for name, calls, count, slowest in EACH.findall(output)}),
                   bytes_of(output) | bytes_of_code(build / preset), False)


def print_functions(machines: dict[str, Machine]) -> None:
    print("instructions per call (host: callgrind, gcc -O2; boards: emulated, gcc -O2)\n")
    print(f"{'function':<24}" + "".join(f"{name:>12}" for name in machines))
    for name in machines["host"].functions:
        print(f"{name:<24}" + "".join(f"{machine.functions[name]:>12,.1f}"
                                      for machine in machines.values()))


def print_roller_chain(machines: dict[str, Machine]) -> None:
    unit = "AVX2" if machines["host"].vector_unit else "no AVX2 here"
    print("\ninstructions per step of the roller chain, 6S90MC-C, 50 us "
          f"(host: gcc -O3, {unit}; boards: gcc -O2)\n")
    columns = [(name, machine.chains, kind)
               for name, machine in machines.items() for kind in KINDS]
    print(f"{'':<24}" + "".join(f"{name:>14}" for name, _, _ in columns))
    print(f"{'':<24}" + "".join(f"{KINDS[kind]:>14}" for _, _, kind in columns))

    def row(title: str, value, form: str = ",.0f") -> None:
        print(f"{title:<24}" + "".join(f"{value(counted, kind):>14{form}}"
                                       for _, counted, kind in columns))

    row("steps counted", lambda counted, kind: counted[f"{STEP}/{kind}"].calls)
    row("mean", lambda counted, kind: counted[f"{STEP}/{kind}"].mean)
    row("slowest", lambda counted, kind: counted[f"{STEP}/{kind}"].slowest)
    row("slowest / mean", lambda counted, kind: counted[f"{STEP}/{kind}"].slowest
        / counted[f"{STEP}/{kind}"].mean, ".3f")
    parts = [name[len(STEP) + 1:-len("/double")] for name in machines["host"].chains
             if name.startswith(f"{STEP}.") and kind_of(name) == "double"]
    for part in parts:
        row(f"  {part}", lambda counted, kind: counted[f"{STEP}.{part}/{kind}"].mean)
    row("  sum of these", lambda counted, kind: sum(counted[f"{STEP}.{part}/{kind}"].mean
                                                    for part in parts))
    row("crank, each step", lambda counted, kind: counted[f"roller_crank/{kind}"].mean)
    row("predict, each tick", lambda counted, kind: counted[f"roller_predict/{kind}"].mean)


def print_reduced_chain(machines: dict[str, Machine]) -> None:
    print("\nreduced chain, 6S90MC-C with bars and tightener, 0.5 ms (gcc -O3)\n")
    print(f"{'instructions':<24}" + "".join(f"{name:>12}" for name in machines))

    def row(title: str, value, form: str = ",.0f") -> None:
        cells = (value(machine) for machine in machines.values())
        print(f"{title:<24}" + "".join(f"{'' if cell is None else format(cell, form):>12}"
                                       for cell in cells))

    step, predict = ("reduced_step/float", "reduced_predict/float")
    row("steps counted", lambda machine: machine.chains[step].calls)
    row("mean", lambda machine: machine.chains[step].mean)
    row("slowest", lambda machine: machine.chains[step].slowest)
    row("slowest / mean", lambda machine: machine.chains[step].slowest
        / machine.chains[step].mean, ".3f")
    row("predict, each tick", lambda machine: machine.chains[predict].mean)
    print("bytes")
    for title, name in (("RAM: state", "reduced_state"), ("RAM: scratch", "reduced_scratch"),
                        ("stack of a step", "reduced_step_stack"),
                        ("flash: step", "reduced_step_code"),
                        ("flash: predict", "reduced_predict_code"),
                        ("flash: block", "reduced_block")):
        row(title, lambda machine: machine.bytes.get(name))


def print_twin(machines: dict[str, Machine]) -> None:
    print("\na twin's tick with that chain: channels; then observer, chain, prediction, health "
          "(gcc -O2)\n")
    print(f"{'instructions':<32}" + "".join(f"{name:>12}" for name in machines))

    def row(title: str, value) -> None:
        print(f"{title:<32}" + "".join(f"{value(machine):>12,.0f}" for machine in machines.values()))

    row("ticks counted", lambda machine: machine.chains["twin_tick/float"].calls)
    for title, kind in (("", ""), (", all sensors bad", "_bad")):
        parts = [f"twin_{part}{kind}/float" for part in ("channels", "tick")]
        row(f"mean{title}", lambda machine: sum(machine.chains[part].mean for part in parts))
        row(f"slowest{title}",
            lambda machine: sum(machine.chains[part].slowest for part in parts))
        row("  channels, slowest", lambda machine: machine.chains[parts[0]].slowest)
        row("  tick, slowest", lambda machine: machine.chains[parts[1]].slowest)
    print("bytes")
    for title, name in (("model", "twin_model"), ("RAM: state", "twin_state"),
                        ("RAM: scratch of the chain", "reduced_scratch"),
                        ("models of channels", "twin_channel_models"),
                        ("RAM: states of channels", "twin_channel_states"),
                        ("RAM: frame and prediction", "twin_frames")):
        row(title, lambda machine: machine.bytes[name])


def print_implicit_chain(machines: dict[str, Machine]) -> None:
    print("\nthe implicit chain, 6S90MC-C with bars and tightener, 0.5 ms, "
          "float (gcc -O3)\n")
    print(f"{'instructions':<24}" + "".join(f"{name:>12}" for name in machines))
    steps = [machine.chains["implicit_step/float"] for machine in machines.values()]
    for title, cells in (("mean", [step.mean for step in steps]),
                         ("slowest", [step.slowest for step in steps])):
        print(f"{title:<24}" + "".join(f"{cell:>12,.0f}" for cell in cells))
    print("bytes, for up to 256 links and 8 sprockets")
    for title, name in (("RAM: state", "implicit_state"), ("RAM: scratch", "implicit_scratch")):
        print(f"{title:<24}" + "".join(f"{machine.bytes[name]:>12,}"
                                       for machine in machines.values()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, epilog="example: cost_table.py build")
    parser.add_argument("build", type=pathlib.Path, help="folder of the build trees host, m4, m7")
    build = parser.parse_args().build
    machines = {"host": count_on_pc(build), **{board: count_on_board(build, board)
                                               for board in BOARDS}}
    print_functions(machines)
    print_reduced_chain(machines)
    print_twin(machines)
    print_implicit_chain(machines)
    print_roller_chain(machines)


if __name__ == "__main__":
    main()
