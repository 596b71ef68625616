#!/usr/bin/env python3
"""taut flash: what makes a board the twin of a drive. TAUT: path of the program. That a board boots
from it: tests/system/flash_boot.cpp."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from in_folder import InFolder

TAUT = os.environ["TAUT"]
ENGINE = "6s90mc-c"
SIZE = 16 * 1024 * 1024


def taut(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run([TAUT, *map(str, arguments)], capture_output=True, text=True, timeout=300)


def setUpModule():
    """The engine reduced once, for all: it takes seconds."""
    global FOLDER, BLOCK
    FOLDER = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(FOLDER.cleanup)
    BLOCK = pathlib.Path(FOLDER.name) / "engine.tautblock"
    done = taut("reduce", ENGINE, "-o", BLOCK)
    assert done.returncode == 0, done.stderr


class Flash(InFolder):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "board.flash"

    def flash(self, *arguments) -> subprocess.CompletedProcess:
        return taut("flash", ENGINE, "--block", BLOCK, "-o", self.path, *arguments)

    def test_a_new_one_and_a_new_block_in_it(self):
        done = self.flash("--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertTrue(found["is_new"])
        first = self.path.read_bytes()
        self.assertEqual(len(first), SIZE)
        at = first.index(b"TWIN")
        self.assertEqual(int.from_bytes(first[at + 8:at + 12], "little"), found["block_bytes"])
        self.assertEqual(first.count(b"TWIN"), 1)
        again = self.flash("--json")
        self.assertFalse(json.loads(again.stdout)["is_new"])
        second = self.path.read_bytes()
        self.assertEqual(second.count(b"TWIN"), 2)
        self.assertEqual(second[at:at + found["block_bytes"]], first[at:at + found["block_bytes"]])
        anew = self.flash("--new")
        self.assertEqual(anew.returncode, 0, anew.stderr)
        self.assertIn("calibration: tagged link 0", anew.stdout)
        self.assertEqual(self.path.read_bytes(), first)

    def test_the_flash_of_another_drive_is_left_alone(self):
        self.assertEqual(self.flash().returncode, 0)
        before = self.path.read_bytes()
        other = ["flash", ENGINE, "--set", "tightener.damping_factor=0.3", "-o", self.path]
        done = taut(*other)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertRegex(done.stderr, r"board.flash: is the flash of another drive, [0-9a-f]{16}; "
                                      r"this one is [0-9a-f]{16}; .*--new")
        self.assertEqual(self.path.read_bytes(), before)
        self.assertEqual(taut(*other, "--new").returncode, 0)
        self.assertNotEqual(self.path.read_bytes(), before)

    def test_a_file_that_is_no_flash_is_left_alone(self):
        self.path.write_text("notes")
        done = self.flash()
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"is no flash of a board: it has 5 bytes, a flash {SIZE}", done.stderr)
        self.assertEqual(self.path.read_text(), "notes")

    def test_a_block_that_does_not_fit(self):
        wrong = self.folder / "wrong.tautblock"
        wrong.write_bytes(BLOCK.read_bytes()[:-8])
        done = taut("flash", ENGINE, "--block", wrong, "-o", self.path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("wrong.tautblock: is shorter than a block", done.stderr)
        self.assertFalse(self.path.exists())

    def test_without_a_path(self):
        done = taut("flash", ENGINE)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--out is required", done.stderr)


if __name__ == "__main__":
    unittest.main()
