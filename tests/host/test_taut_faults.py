#!/usr/bin/env python3
"""Every fault of every sensor on a twin, one phase of the crank. TAUT: the program."""

import csv
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from in_folder import InFolder

TAUT = os.environ["TAUT"]
ENGINE = "6s90mc-c"
READINGS = ("crank_acceleration", "link_force", "tightener_acceleration", "tightener_position")
TEXTS = {"crank_acceleration": "crank acceleration bad", "link_force": "link force bad",
         "tightener_acceleration": "tightener acceleration bad",
         "tightener_position": "tightener position bad"}


def taut(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run([TAUT, *map(str, arguments)], capture_output=True, text=True, timeout=300)


def setUpModule():
    global FOLDER, DONE, FOUND, ROWS
    FOLDER = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(FOLDER.cleanup)
    block, table = (pathlib.Path(FOLDER.name) / name for name in ("engine.tautblock", "faults.csv"))
    done = taut("reduce", ENGINE, "-o", block)
    assert done.returncode == 0, done.stderr
    DONE = taut("faults", ENGINE, "--block", block, "--start", "rest", "--order", 6,
                "--accel-amplitude", 5, "--phases", 1, "--json", "--csv", table)
    assert DONE.stdout, DONE.stderr
    FOUND = json.loads(DONE.stdout)
    with table.open() as file:
        ROWS = list(csv.DictReader(file))


def case(sensor: str, kind: str) -> dict:
    return next(one for one in FOUND["cases"] if (one["sensor"], one["kind"]) == (sensor, kind))


class Matrix(unittest.TestCase):
    def test_all_are_there(self):
        self.assertEqual(len(FOUND["cases"]), 4 * 10 + 2 * 8 + 1)
        self.assertEqual([row["kind"] for row in ROWS], [one["kind"] for one in FOUND["cases"]])

    def test_nothing_is_wrong_and_not_told(self):
        wrong = [(one["sensor"], one["kind"], one["valid_error"]) for one in FOUND["cases"]
                 if one["wrong"]]
        self.assertEqual(wrong, [])
        self.assertTrue(all(one["finite"] for one in FOUND["cases"]))
        self.assertEqual(DONE.returncode, 0, DONE.stderr)

    def test_rubbish_trips_within_40_ms(self):
        for sensor in READINGS:
            for kind in ("off", "nan", "inf", "time_jump"):
                with self.subTest(sensor=sensor, kind=kind):
                    found = case(sensor, kind)
                    self.assertLess(found["noticed_s"], 0.04)
                    self.assertIn(TEXTS[sensor], found["text"])
                    self.assertIsNotNone(found["recovered_s"])

    def test_what_a_channel_cannot_see(self):
        for sensor in READINGS:
            for kind in ("stuck", "offset", "slow", "delayed"):
                with self.subTest(sensor=sensor, kind=kind):
                    found = case(sensor, kind)
                    self.assertLess(found["noticed_s"], 1.5)
                    self.assertIn(TEXTS[sensor], found["text"])

    def test_a_gauge_does_not_spoil_the_prediction(self):
        for sensor in READINGS[1:]:
            self.assertEqual(case(sensor, "nan")["valid_error"], 0)

    def test_edges(self):
        self.assertIn("crank not synced", case("edges", "off")["text"])
        self.assertIn("edges bad", case("edges", "garbage")["text"])
        self.assertIn("index missing", case("index", "off")["text"])
        self.assertIn("edges bad", case("index", "offset")["text"])


class Use(InFolder):
    def test_wrong_use_is_refused(self):
        self.assert_refused(taut("faults", ENGINE, "--sensor", "nose"), 2, "nose")
        faults = self.write("", "faults.toml")
        self.assert_refused(taut("faults", ENGINE, "--faults", faults), 2, "taut twin")


if __name__ == "__main__":
    unittest.main()
