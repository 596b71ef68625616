#!/usr/bin/env python3
"""taut live without a browser: it ends by itself, what it leaves, what it refuses; a twin on a board.
TAUT: the program; IMAGE: firmware for the emulated Cortex-M7, which may not be built."""

import json
import os
import pathlib
import socket
import subprocess
import unittest

from in_folder import InFolder

TAUT = os.environ["TAUT"]
IMAGE = pathlib.Path(os.environ["IMAGE"])
ENGINE = "6s90mc-c"
RUN_S = 3
TICKS = 2000 * RUN_S


def live(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run([TAUT, "live", ENGINE, *map(str, arguments)], capture_output=True, text=True,
                          timeout=300)


class Live(InFolder):
    def run_for_a_while(self, *arguments) -> str:
        done = live("--port", 0, "--duration-s", RUN_S, "--out", self.folder / "out", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"live page: http://127\.0\.0\.1:\d+/#[0-9a-f]{32}\n")
        return done.stdout

    def replayed(self) -> str:
        return subprocess.run([TAUT, "replay", self.folder / "out/run.tautlog"], capture_output=True,
                              text=True, timeout=300).stdout

    def test_it_ends_by_itself_and_leaves_what_it_made(self):
        self.run_for_a_while()
        summary = json.loads((self.folder / "out/summary.json").read_text())
        self.assertEqual(summary["duration_s"], RUN_S)
        self.assertIn("<svg", (self.folder / "out/traces.svg").read_text())
        self.assertIn("health over time", (self.folder / "out/summary.txt").read_text())
        self.assertIn(f"{TICKS} ticks, every prediction the same to the bit", self.replayed())

    def test_a_twin_on_a_board(self):
        if not IMAGE.exists():
            self.skipTest(f"{IMAGE} is not built")
        text = self.run_for_a_while("--target", "m7", "--image", IMAGE)
        self.assertIn(f"on a Cortex-M7 in QEMU: {TICKS} of {TICKS} predictions have the bits of this PC's",
                      text)
        self.assertIn(f"{TICKS} ticks, every prediction the same to the bit", self.replayed())


class Refused(InFolder):
    def test_a_board_without_its_firmware(self):
        self.assert_refused(live("--target", "m7"), 2, "--target m7", "--image build/m7/boards/taut_firmware")

    def test_a_target_that_is_none(self):
        self.assert_refused(live("--target", "m8"), 2, "m8", "pc,m4,m7")

    def test_a_port_that_is_taken(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            self.assert_refused(live("--port", port), 2, f"port {port}", "--port 0 takes any that is free")


if __name__ == "__main__":
    unittest.main()
