#!/usr/bin/env python3
"""taut rig as a user and a script meet it. TAUT: path of the program."""

import csv
import json
import math
import os
import statistics
import subprocess
import unittest

from in_folder import InFolder

TAUT = os.environ["TAUT"]
ENGINE = "6s90mc-c"


def taut_rig(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run([TAUT, "rig", *map(str, arguments)], capture_output=True, text=True,
                          timeout=120)


def rig_json(*arguments) -> dict:
    done = taut_rig(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "", done.stderr
    return json.loads(done.stdout)


class Report(unittest.TestCase):
    """Six seconds of the engine: three turns in the second half."""

    @classmethod
    def setUpClass(cls):
        cls.found = rig_json(ENGINE, "--duration-s", "6", "--seed", "3")

    def test_keys(self):
        self.assertEqual(list(self.found), [
            "name", "seed", "duration_s", "step_s", "prescribed", "speed_rpm",
            "acceleration_rad_s2", "turns", "order_amplitudes_rad_s2", "link_N", "tightener_m",
            "edges", "drawn", "state_hash"])
        self.assertEqual((self.found["seed"], self.found["step_s"], self.found["prescribed"]),
                         (3, 2e-5, False))
        self.assertAlmostEqual(self.found["duration_s"], 6)

    def test_speed_is_held(self):
        speed = self.found["speed_rpm"]
        self.assertAlmostEqual(speed["mean"], 76, delta=0.05)
        self.assertTrue(73 < speed["min"] < 75.6 and 76.4 < speed["max"] < 79, speed)

    def test_orders(self):
        amplitudes = self.found["order_amplitudes_rad_s2"]
        self.assertEqual(len(amplitudes), 24)
        self.assertEqual(self.found["turns"], 3)
        # What reproduces Pedersen's published forces; the chain acts back on the crank.
        self.assertAlmostEqual(amplitudes[6 - 1], 7, delta=0.6)
        self.assertTrue(0.3 < amplitudes[12 - 1] < 1.5)
        self.assertTrue(0.05 < amplitudes[18 - 1] < amplitudes[12 - 1])
        self.assertLess(max(amplitudes[:5]), 0.5)

    def test_edges(self):
        turns = self.found["speed_rpm"]["mean"] / 60 * 6
        self.assertAlmostEqual(self.found["edges"]["teeth"], turns * 58, delta=4)
        self.assertEqual(self.found["edges"]["index"], 8)
        self.assertEqual(self.found["edges"]["lost"], 0)

    def test_drawn_parameters(self):
        drawn = self.found["drawn"]
        for name in ("contact_stiffness", "friction", "joint_damping", "link_damping"):
            self.assertTrue(0 < abs(drawn[f"{name}_factor"] - 1) <= 0.15, drawn)
        self.assertEqual(drawn["sprocket"], 3)
        for offset in drawn["centre_m"]:
            self.assertTrue(0 < abs(offset) <= 1e-4, drawn)
        self.assertTrue(1 <= drawn["link"] <= 144)
        self.assertTrue(0 < abs(drawn["link_elongation"]) <= 5e-4)


class Short(InFolder):
    def rows(self, *arguments) -> list[dict]:
        path = self.folder / "bench.csv"
        done = taut_rig(*arguments, "--csv", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        with path.open() as file:
            return list(csv.DictReader(file))

    def test_seed_repeats(self):
        first, again, other = (rig_json(ENGINE, "--duration-s", "0.1", "--seed", seed)
                               for seed in (5, 5, 6))
        self.assertEqual(first, again)
        self.assertNotEqual(first["state_hash"], other["state_hash"])

    def test_ideal_draws_nothing(self):
        found = [rig_json(ENGINE, "--duration-s", "0.1", "--ideal", "--seed", seed)
                 for seed in (1, 2)]
        self.assertEqual(found[0]["state_hash"], found[1]["state_hash"])
        drawn = found[0]["drawn"]
        self.assertEqual([drawn[key] for key in drawn if key.endswith("_factor")], [1] * 4)
        self.assertEqual((drawn["centre_m"], drawn["link_elongation"]), ([0, 0], 0))

    def test_csv_has_a_row_a_tick(self):
        rows = self.rows(ENGINE, "--duration-s", "0.2", "--ideal")
        self.assertEqual(len(rows), 400)
        for i, row in enumerate(rows):
            self.assertEqual(int(row["tick"]), i)
            self.assertAlmostEqual(float(row["time_s"]), (i + 1) * 0.5e-3)
            self.assertEqual(int(row["link_force_sequence"]), i + 1)
            self.assertAlmostEqual(float(row["link_force_N"]) / float(row["true_link_force_N"]), 1)
            self.assertAlmostEqual(float(row["crank_acceleration_rad_s2"]),
                                   float(row["true_crank_acceleration_rad_s2"]), places=6)
            for k in range(1, 9):
                there = k <= int(row["edges"])
                self.assertEqual(row[f"edge_kind[{k}]"] in ("tooth", "index"), there)
                self.assertEqual(row[f"edge_moment_1_65536_tick[{k}]"] != "", there)
        self.assertIn("true_strand_mean_N[4]", rows[0])

    def test_sensors_differ_from_the_truth_as_specified(self):
        rows = self.rows(ENGINE, "--duration-s", "1", "--seed", "2")
        delayed = zip(rows[8:], rows)  # telemetry is 8 ticks late
        errors = [float(late["link_force_N"]) - float(early["true_link_force_N"])
                  for late, early in delayed if late["link_force_sequence"] != "0"]
        mean_N = statistics.mean(float(row["true_link_force_N"]) for row in rows)
        self.assertLess(abs(statistics.mean(errors)), 510 + 0.011 * mean_N)  # zero and gain
        # Noise 200 N, quanta of 61 N, 1 % of the force's own variation, lost packets.
        self.assertTrue(190 < statistics.stdev(errors) < 600, statistics.stdev(errors))
        lost = 2000 - int(rows[-1]["link_force_sequence"])
        self.assertTrue(0 <= lost <= 15, lost)  # 4 of 2000 expected

    def test_prescribed_motion(self):
        found = rig_json(ENGINE, "--duration-s", "4", "--ideal", "--order", "6",
                         "--accel-amplitude", "2")
        self.assertTrue(found["prescribed"])
        amplitudes = found["order_amplitudes_rad_s2"]
        self.assertAlmostEqual(amplitudes[5], 2, delta=0.01)
        self.assertLess(max(amplitudes[:5] + amplitudes[6:]), 0.02)

    def test_run_up_and_speed(self):
        rows = self.rows(ENGINE, "--duration-s", "4", "--start", "rest", "--run-up-s", "2",
                         "--speed-rpm", "40", "--torque-factor", "0.2")
        speeds = [float(row["true_crank_speed_rad_s"]) for row in rows]
        self.assertLess(abs(speeds[0]), 0.01)
        self.assertAlmostEqual(statistics.mean(speeds[-500:]), 40 / 60 * 2 * math.pi, delta=0.15)

    def test_torque_orders_from_a_file(self):
        orders = self.write("[[order]]\norder = 15\namplitude_N_m = 100e3\nphase_rad = 1\n",
                            "orders.toml")
        amplitudes = rig_json(ENGINE, "--duration-s", "4", "--ideal", "--torque-orders",
                              orders)["order_amplitudes_rad_s2"]
        self.assertEqual(amplitudes.index(max(amplitudes)), 15 - 1)
        # T/J (w^2 - k/J2)/(w^2 - k (1/J1 + 1/J2)), without damping and chain.
        self.assertAlmostEqual(amplitudes[14], 0.420, delta=0.1)
        self.assertLess(amplitudes[5], 0.1 * amplitudes[14])

    def test_faults_and_damage_from_a_file(self):
        faults = self.write("""
            [[fault]]
            sensor = "link_force"
            kind = "nan"
            at_s = 0.05
            until_s = 0.1
            [[fault]]
            sensor = "edges"
            kind = "off"
            at_s = 0.1
            [[damage]]
            kind = "elongation"
            size = 1e-4
            at_s = 0.1
            until_s = 0.15
            """, "faults.toml")
        plain = self.rows(ENGINE, "--duration-s", "0.2")
        rows = self.rows(ENGINE, "--duration-s", "0.2", "--faults", faults)
        self.assertEqual([i for i, row in enumerate(rows) if row["link_force_N"] == "nan"],
                         list(range(100, 200)))
        self.assertEqual(rows[:100], plain[:100])
        for row, before in zip(rows[100:200], plain[100:200]):
            self.assertEqual({**row, "link_force_N": ""}, {**before, "link_force_N": ""})
        self.assertTrue(all(row["edge_kind[1]"] != "tooth" for row in rows[201:]))
        self.assertLess(float(rows[-1]["true_strand_mean_N[4]"]),
                        float(plain[-1]["true_strand_mean_N[4]"]) - 1000)

    def test_text(self):
        done = taut_rig(ENGINE, "--duration-s", "4")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for part in ("seed 1", "rpm", "acceleration by order", "6: ", "link 1: mean", "edges:",
                     "contact stiffness", "sprocket 3"):
            self.assertIn(part, done.stdout)

    def test_every_drive_runs(self):
        for drive in ("6l60mc", "no40", "no80", "timing"):
            with self.subTest(drive):
                found = rig_json(drive, "--duration-s", "0.02")
                self.assertGreater(found["link_N"]["max"], 0)


class Refused(InFolder):
    def refused_file(self, text: str, *parts: str, option: str = "--faults"):
        path = self.write(text, "file.toml")
        with self.subTest(text):
            self.assert_refused(taut_rig(ENGINE, "--duration-s", "0.01", option, path), 2,
                                str(path), *parts)

    def test_schedules(self):
        begin = '[[fault]]\nsensor = "link_force"\n'
        self.refused_file("", "has no fault", "[[fault]] or [[damage]]")
        self.refused_file("[[faults]]\n", ":1: faults: unknown")
        self.refused_file("[[fault", ":1: ")
        self.refused_file(begin, ":1: kind: is missing", "allowed off, stuck", "at_s: is missing")
        self.refused_file(begin + 'kind = "ofset"\nat_s = 1\nsize = 1',
                          ':3: kind = "ofset": unknown', "offset")
        self.refused_file(begin + 'kind = 3\nat_s = 1', ":3: kind = 3: is no text")
        self.refused_file(begin + 'kind = ""\nat_s = 1', ':3: kind = "": unknown')
        self.refused_file(begin + 'kind = "offset"\nat_s = 1', ":1: size: is missing")
        self.refused_file(begin + 'kind = "off"\nat_s = 1\nsize = 2', ":5: size = 2: ", "no size")
        self.refused_file(begin + 'kind = "intermittent"\nat_s = 1\nsize = 2',
                          ":5: size = 2: allowed 0 to 1")
        self.refused_file(begin + 'kind = "off"\nat_s = -1', ":4: at_s = -1: allowed 0")
        self.refused_file(begin + 'kind = "off"\nat_s = 2\nuntil_s = 1',
                          ":5: until_s = 1: allowed above at_s, 2 s")
        self.refused_file(begin + 'kind = "off"\nat_s = 2\nuntil = 1',
                          ":5: until = 1: unknown key", "until_s")
        self.refused_file('[[fault]]\nsensor = "edges"\nkind = "nan"\nat_s = 1',
                          ':3: kind = "nan": a moment is a whole number')
        self.refused_file('[[fault]]\nsensor = "oil"\nkind = "nan"\nat_s = 1', ':2: sensor = "oil"')
        self.refused_file('[[damage]]\nkind = "cracked_link"\nsize = 0.3\nat_s = 1\nnumber = 145',
                          ":5: number = 145: allowed 1 to 144")
        self.refused_file('[[damage]]\nkind = "worn_bar"\nsize = 1\nat_s = 1\nnumber = 1',
                          ":3: size = 1: allowed 0 to 0.1 m")
        self.refused_file('[[damage]]\nkind = "elongation"\nsize = 0.02\nat_s = 1',
                          ":3: size = 0.02: makes of the drive")

    def test_torque_orders(self):
        for text, parts in (
                ("[[order]]\norder = 65\namplitude_N_m = 1", (":2: order = 65: allowed 1 to 64",)),
                ("[[order]]\norder = 6\namplitude_N_m = -1", (":3: amplitude_N_m = -1: allowed 0",)),
                ("[[order]]\namplitude_N_m = 1", (":1: order: is missing",))):
            self.refused_file(text, *parts, option="--torque-orders")

    def test_options(self):
        for arguments, parts in (
                (("--speed-rpm", "92"), ("--speed-rpm 92", "allowed up to 91.2")),
                (("--order", "6"), ("--accel-amplitude", "give both or none")),
                (("--order", "6", "--accel-amplitude", "1", "--torque-factor", "2"),
                 ("--torque-factor out",)),
                (("--run-up-s", "2"), ("add --start rest",)),
                (("--tag-link", "145"), ("--tag-link 145: allowed 1 to 144",)),
                (("--seed", "-1"), ("--seed", "allowed 0 to 2147483647")),
                (("--torque-factor", "nan"), ("nan: allowed 0 to 10",)),
                (("--csv", self.folder / "no" / "such.csv"), ("such.csv",))):
            with self.subTest(arguments):
                self.assert_refused(taut_rig(ENGINE, "--duration-s", "0.01", *arguments), 2, *parts)

    def test_a_crank_that_turns_back(self):
        orders = self.write("[[order]]\norder = 1\namplitude_N_m = 1e9\nphase_rad = 3.14\n", "orders.toml")
        self.assert_refused(taut_rig(ENGINE, "--duration-s", "3", "--torque-orders", orders), 3,
                            "the crankshaft turns backwards")


if __name__ == "__main__":
    unittest.main()
