"""Instructions of a program's named stretches (board::InstructionCounter), counted by callgrind."""

import pathlib
import re
import subprocess
import sys
import tempfile
from typing import NamedTuple


class Dump(NamedTuple):
    name: str
    instructions: int
    text: str


def run_counted(*command: str) -> tuple[str, list[Dump]]:
    """What the program wrote, and a dump for each stretch that it counted."""
    dumps = []
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["valgrind", "--tool=callgrind", "--collect-atstart=no",
                               f"--callgrind-out-file={folder}/count", *command], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            sys.exit(f"{done.stdout}\ncallgrind: code {done.returncode}: " + " ".join(command))
        for path in pathlib.Path(folder).glob("count.*"):
            text = path.read_text()
            name = re.search(r"Client Request: (\S+)", text)
            total = re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)
            if name and total:
                dumps.append(Dump(name[1], int(total[1]), text))
    return done.stdout, dumps
