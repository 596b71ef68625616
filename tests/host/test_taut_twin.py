#!/usr/bin/env python3
"""A twin against the virtual bench and against its own log, and what it says of its health.
TAUT: the program."""

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
# Away from where two responses exist for the same motion of the crank.
STRONG = ("--start", "rest", "--order", 6, "--accel-amplitude", 5)


def taut(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run([TAUT, *map(str, arguments)], capture_output=True, text=True, timeout=300)


def twin(*arguments) -> dict:
    done = taut("twin", ENGINE, "--block", BLOCK, *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def setUpModule():
    global FOLDER, BLOCK, LOG, FOUND
    FOLDER = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(FOLDER.cleanup)
    BLOCK, LOG = (pathlib.Path(FOLDER.name) / name for name in ("engine.tautblock", "run.tautlog"))
    done = taut("reduce", ENGINE, "-o", BLOCK)
    assert done.returncode == 0, done.stderr
    FOUND = twin(*STRONG, "--duration-s", 14, "--log", LOG)


class Prediction(unittest.TestCase):
    def test_link_force_and_tightener(self):
        """Parameters of the bench differ by up to 15 %: mean 5 %, slow part 15 % of the mean."""
        link = FOUND["link_force_true_N"]
        self.assertLess(abs(link["bias"]), 0.05 * link["mean"])
        self.assertLess(link["slow_rms"], 0.15 * link["mean"])
        self.assertGreater(link["correlation"], 0.9)
        arm = FOUND["tightener_position_true_m"]
        self.assertGreater(arm["correlation"], 0.9)

    def test_the_gauge_is_found(self):
        self.assertGreater(FOUND["link_force_measured_N"]["correlation"], 0.9)

    def test_crank(self):
        speed = FOUND["crank_speed_true_rad_s"]
        self.assertLess(speed["rms"], 0.005)

    def test_health_goes_from_invalid_to_valid(self):
        self.assertEqual(FOUND["health"][0]["trust"], "invalid")
        self.assertIn("crank not synced", FOUND["health"][0]["text"])
        self.assertEqual(FOUND["health"][-1]["trust"], "valid")
        self.assertEqual(sum(FOUND["ticks"].values()), 28000)


class Doubt(unittest.TestCase):
    def test_the_other_of_two_responses_is_never_called_valid(self):
        """With less torque than its own the chain holds the crank, and no twin can follow it."""
        found = twin("--start", "rest", "--torque-factor", 0.71, "--duration-s", 16)
        link = found["link_force_true_N"]
        self.assertGreater(link["slow_rms"], 0.2 * link["mean"])
        self.assertEqual(found["ticks"]["valid"], 0)
        self.assertIn("model disagrees", found["health"][-1]["text"])


class Log(InFolder):
    def test_replay_gives_the_same_bits(self):
        done = taut("replay", LOG)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("28000 ticks, every prediction the same to the bit", done.stdout)

    def test_convert(self):
        path = self.folder / "run.csv"
        done = taut("convert", LOG, "-o", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        with path.open() as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 28000)
        self.assertEqual([int(row["predicted.tick"]) for row in rows], list(range(28000)))
        self.assertGreater(float(rows[-1]["predicted.strand_mean_N[4]"]), 1e4)
        self.assertNotIn("predicted.strand_mean_N[5]", rows[0])
        # From the gauge's place on, which the twin finds.
        self.assertEqual([rows[i]["calibrated.tagged_link"] for i in (0, -1)],
                         ["0", str(FOUND["tagged_link"] - 1)])
        self.assertIn("calibrated.elongation", rows[0])

    def test_cut_off_it_is_good_up_to_there(self):
        whole = LOG.read_bytes()
        path = self.folder / "cut.tautlog"
        path.write_bytes(whole[:len(whole) * 2 // 3])
        done = taut("replay", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the log is cut off after them", done.stdout)
        self.assertRegex(done.stdout, r" 1\d{4} ticks")

    def test_damage_is_told(self):
        whole = bytearray(LOG.read_bytes())
        for place in (0, 100, len(whole) // 2, len(whole) - 3):
            with self.subTest(place=place):
                damaged = bytearray(whole)
                damaged[place] ^= 1
                path = self.folder / "damaged.tautlog"
                path.write_bytes(damaged)
                self.assert_refused(taut("replay", path), 2, str(path), "at byte")
        self.assert_refused(taut("replay", self.folder / "none"), 2, "none", "taut twin --log")


class Against(InFolder):
    """A twin on the frames of a log."""

    def test_the_same_twin_predicts_the_same(self):
        again = self.folder / "again.tautlog"
        found = twin("--against", LOG, "--log", again, "--csv", self.folder / "again.csv")
        self.assertEqual(again.read_bytes(), LOG.read_bytes())
        for key in ("tagged_link", "compared_from_s", "link_force_measured_N",
                    "tightener_position_measured_m", "tightener_acceleration_measured_m_s2",
                    "ticks", "health"):
            self.assertEqual(found[key], FOUND[key], key)
        self.assertEqual(found["against"], str(LOG))
        self.assertNotIn("link_force_true_N", found)  # nobody knows it
        with (self.folder / "again.csv").open() as file:
            self.assertEqual(sum(1 for _ in file), 28001)

    def test_another_twin_on_part_of_it(self):
        found = twin("--against", LOG, "--model", "roller", "--duration-s", 2)
        self.assertEqual(sum(found["ticks"].values()), 4000)
        self.assertEqual(found["model"], "roller")
        self.assertIsNone(found["compared_from_s"])

    def test_cut_off(self):
        path = self.folder / "cut.tautlog"
        path.write_bytes(LOG.read_bytes()[:2_000_000])
        found = twin("--against", path)
        self.assertFalse(found["is_whole"])
        self.assertEqual(sum(found["ticks"].values()) % 1000, 0)

    def test_wrong_use(self):
        def refused(*arguments, drive=ENGINE) -> subprocess.CompletedProcess:
            return taut("twin", drive, *arguments)

        self.assert_refused(refused("--against", LOG, "--seed", 3), 2, "--seed", "leave it out")
        self.assert_refused(refused("--against", LOG, "--faults", "f.toml"), 2, "--faults")
        self.assert_refused(refused("--against", LOG, drive="6l60mc"), 2, str(LOG), "6S90MC-C",
                            "6L60MC")
        self.assert_refused(refused("--against", "none.tautlog"), 2, "none.tautlog",
                            "taut twin --log")
        before = LOG.read_bytes()
        self.assert_refused(refused("--against", LOG, "--log", LOG), 2, str(LOG), "another file")
        self.assertEqual(LOG.read_bytes(), before)


class Faults(InFolder):
    def timeline(self, sensor: str, kind: str, size: str = "") -> list[dict]:
        faults = self.write(f'[[fault]]\nsensor = "{sensor}"\nkind = "{kind}"\n{size}\n'
                            "at_s = 9\nuntil_s = 9.5\n", "faults.toml")
        health = twin(*STRONG, "--duration-s", 11.5, "--faults", faults)["health"]
        self.assertEqual([change["trust"] for change in health if change["time_s"] < 9][-1], "valid")
        return [change for change in health if change["time_s"] >= 9]

    def test_acceleration_that_is_no_number(self):
        changes = self.timeline("crank_acceleration", "nan")
        self.assertEqual(changes[0]["trust"], "degraded")
        self.assertIn("crank acceleration bad", changes[0]["text"])
        self.assertLess(changes[0]["time_s"], 9.04)
        self.assertEqual(changes[-1]["trust"], "valid")
        self.assertLess(changes[-1]["time_s"], 10.6)  # a second to forget what stood in

    def test_no_edges(self):
        changes = self.timeline("edges", "off")
        self.assertIn("crank coasting", changes[0]["text"])
        self.assertEqual(changes[0]["trust"], "degraded")

    def test_a_gauge_that_fails_does_not_spoil_the_prediction(self):
        changes = self.timeline("link_force", "off")
        self.assertTrue(changes)
        self.assertIn("link force bad", changes[0]["text"])
        self.assertEqual({change["trust"] for change in changes}, {"valid"})


if __name__ == "__main__":
    unittest.main()
