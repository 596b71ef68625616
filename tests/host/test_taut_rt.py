#!/usr/bin/env python3
"""taut rt: the firmware on this PC. TAUT: path of the program. Nothing here depends on how regular
the machine is: runs go without rights, and late ticks are only counted."""

import json
import os
import subprocess
import unittest

from in_folder import InFolder

TAUT = os.environ["TAUT"]
ENGINE = "6s90mc-c"


def rt(*arguments, **options) -> subprocess.CompletedProcess:
    return subprocess.run([TAUT, "rt", ENGINE, "--xcp-port", "0", *map(str, arguments)],
                          capture_output=True, text=True, timeout=120, **options)


def without_rights():
    if os.getuid() == 0:
        os.setgid(65534)
        os.setuid(65534)


class Run(InFolder):
    def test_bench_to_log_to_replay_and_back(self):
        log = self.folder / "run.tautlog"
        done = rt("--best-effort", "--core", -1, "--duration-s", 1.5, "--log", log, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual(found["borders"], 3000)
        self.assertEqual(found["borders"], found["ticks"] + found["skipped"])
        self.assertEqual(found["mode"], "wait for crank")  # two turns to find its place
        self.assertEqual(found["wake_up"]["count"], 3000)
        self.assertEqual(sum(found["tick_time"]["counts_by_us"].values()), found["ticks"])
        replayed = subprocess.run([TAUT, "replay", log], capture_output=True, text=True)
        self.assertEqual(replayed.returncode, 0, replayed.stderr)
        self.assertIn("every prediction the same to the bit", replayed.stdout)
        again = rt("--best-effort", "--core", -1, "--source", "log", "--from", log, "--json")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertLess(json.loads(again.stdout)["borders"], 4000)  # the log ends it

    def test_stimulation_that_does_not_come(self):
        done = rt("--best-effort", "--core", -1, "--source", "xcp", "--duration-s", 0.5, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("XCP listens at 127.0.0.1:", done.stderr)
        self.assertEqual(json.loads(done.stdout)["mode"], "wait for crank")


class WrongUse(InFolder):
    def test_without_rights_it_says_what_to_do(self):
        done = rt("--duration-s", 0.1, preexec_fn=without_rights)
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn("not real-time scheduling (SCHED_FIFO): Operation not permitted", done.stderr)
        self.assertIn("--best-effort", done.stderr)

    def test_a_log_without_its_file(self):
        done = rt("--best-effort", "--source", "log")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--from", done.stderr)

    def test_a_secret_of_the_wrong_length(self):
        path = self.folder / "secret.txt"
        path.write_text("abc\n")
        done = rt("--best-effort", "--core", -1, "--xcp-secret", path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("64 hexadecimal digits", done.stderr)


if __name__ == "__main__":
    unittest.main()
