#!/usr/bin/env python3
"""taut run as a user and a script meet it. TAUT: path of the program."""

import csv
import json
import math
import os
import pathlib
import pty
import re
import signal
import statistics
import subprocess
import time
import unittest

from in_folder import InFolder

TAUT = os.environ["TAUT"]
ENGINE = "6s90mc-c"
PLAIN = (ENGINE, "--tightener", "fixed", "--bars", "off")  # nothing but chain and sprockets
TOOTH_HZ = 76 / 60 * 64
SHAKEN = ("--order", "6", "--accel-amplitude", "1", "--fade-in-s", "0.2")


def taut_run(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run([TAUT, "run", *map(str, arguments)], capture_output=True, text=True,
                          timeout=120)


def run_json(*arguments) -> dict:
    done = taut_run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "", done.stderr
    return json.loads(done.stdout)


def without_clock(found: dict) -> dict:
    return {key: value for key, value in found.items() if key not in ("wall_s", "real_time_factor")}


class Report(unittest.TestCase):
    """What one second of the engine with its arm and bars says."""

    @classmethod
    def setUpClass(cls):
        cls.arguments = (ENGINE, "--duration-s", "1.5", "--stats-from-s", "0.5")
        cls.found = run_json(*cls.arguments)

    def test_keys_and_types(self):
        found = self.found
        self.assertEqual(list(found), [
            "name", "model", "speed_rpm", "strands", "tagged_link", "tagged_roller", "link_max_N",
            "contact_max_N", "tightener", "bearings", "power_W", "steady", "crank", "window_s", "step_s",
            "integrator", "precision", "wall_s", "steps", "real_time_factor", "state_hash"])
        self.assertEqual(found["name"], "MAN B&W 6S90MC-C")
        self.assertEqual((found["model"], found["integrator"], found["precision"]),
                         ("roller", "euler", "double"))
        self.assertAlmostEqual(found["speed_rpm"], 76)
        self.assertEqual((found["steps"], found["step_s"]), (30000, 5e-5))
        self.assertEqual([round(time_s, 9) for time_s in found["window_s"]], [0.5, 1.5])
        self.assertRegex(found["state_hash"], "^[0-9a-f]{16}$")
        self.assertAlmostEqual(found["real_time_factor"], 1.5 / found["wall_s"])
        self.assertEqual(list(found["steady"]), ["reached", "from_s", "last_imbalance"])
        self.assertEqual(found["steady"]["reached"], found["steady"]["from_s"] is not None)
        self.assertEqual(list(found["power_W"]), ["driver", "supply", "link", "joint", "contact",
                                                  "friction", "bearing", "tightener", "load"])
        self.assertEqual(list(found["crank"]), ["mean_speed_rpm"])
        self.assertAlmostEqual(found["crank"]["mean_speed_rpm"], 76, places=6)

    def test_strands(self):
        self.assertEqual(len(self.found["strands"]), 4)
        for strand in self.found["strands"]:
            self.assertEqual(list(strand), ["mean_N", "sd_N", "max_N", "p999_N", "mean_of_links_N",
                                            "peaks_Hz", "mid_peaks_Hz", "mid_mean_m", "mid_sd_m"])
            self.assertTrue(strand["mean_N"] < strand["p999_N"] <= strand["max_N"], strand)
            # A strand's middle and its links carry the same, but for what hangs between them.
            self.assertAlmostEqual(strand["mean_of_links_N"] / strand["mean_N"], 1, delta=0.02)
            self.assertTrue(0 < strand["sd_N"] < 0.2 * strand["mean_N"])
            self.assertTrue(0 < strand["mid_sd_m"] < 0.02)
            self.assertTrue(all(0.3 < peak < 400 for peak in strand["mid_peaks_Hz"]))

    def test_extremes_contain_each_other(self):
        found = self.found
        self.assertGreaterEqual(found["link_max_N"], found["tagged_link"]["max_N"] * (1 - 1e-6))
        self.assertGreaterEqual(found["contact_max_N"], found["tagged_roller"]["max_N"])
        for strand in found["strands"]:
            self.assertGreaterEqual(found["link_max_N"], strand["max_N"] * (1 - 1e-6))
        link = found["tagged_link"]
        self.assertTrue(link["mean_N"] < link["p999_N"] <= link["max_N"])

    def test_tightener_hangs_near_its_rest(self):
        tightener = self.found["tightener"]
        self.assertAlmostEqual(tightener["centre_m"][0], 0.334, delta=1e-3)  # Pedersen 5.8
        self.assertAlmostEqual(tightener["centre_m"][1], 4.749, delta=1e-3)
        self.assertTrue(0 < tightener["arm_sd_rad"] < 1e-3)
        self.assertTrue(tightener["com_peaks_Hz"])

    def test_bearings_carry_the_chain_and_yield_where_they_may(self):
        rigid = self.found["bearings"]
        self.assertEqual([bearing["offset_max_m"] for bearing in rigid], [0] * 4)
        yields = run_json(*self.arguments, "--set", "sprocket[2].support_stiffness_N_m=4e8",
                          "--set", "sprocket[2].support_damping_N_s_m=5e4")["bearings"]
        self.assertTrue(1e-5 < yields[1]["offset_max_m"] < 1e-3, yields)
        self.assertAlmostEqual(yields[1]["mean_y_N"] / rigid[1]["mean_y_N"], 1, delta=0.05)

    def test_a_counterweight_shakes_its_bearing_and_the_drive_still_balances(self):
        found = run_json(*self.arguments, "--set", "sprocket[4].counterweight_mass_kg=1000",
                         "--set", "sprocket[4].counterweight_radius_m=0.5")
        # 500 kg m x (152 rpm)^2 go round on top of what the bearing carries without.
        self.assertAlmostEqual(found["bearings"][3]["max_N"] - self.found["bearings"][3]["max_N"],
                               126.7e3, delta=30e3)

    def test_a_hydraulic_tightener_runs_and_is_told(self):
        found = run_json(*self.arguments, "--tightener", "hydraulic")["tightener"]
        # Shaken by the teeth, its chamber is pumped up above the 1.8 bar that it rests with.
        self.assertTrue(1.8e5 < found["chamber_pressure_mean_Pa"] < 20e5, found)
        self.assertTrue(found["chamber_pressure_mean_Pa"] < found["chamber_pressure_max_Pa"])
        self.assertTrue(0 < found["piston_travel_mean_m"] < 0.01, found)
        self.assertTrue(found["valve_flow_mean_m3_s"] > 0)
        self.assertTrue(20e3 < found["force_mean_N"] < 60e3)
        text = taut_run(ENGINE, "--tightener", "hydraulic", "--duration-s", "0.2").stdout
        self.assertIn("hydraulic unit: with its spring pulls", text)

    def test_the_same_command_gives_the_same_bits(self):
        self.assertEqual(without_clock(run_json(*self.arguments)), without_clock(self.found))

    def test_text_names_strands_and_units(self):
        text = taut_run(*self.arguments).stdout
        for number, strand in enumerate(self.found["strands"], 1):
            row = (rf"(?m)^ +{number} +{strand['mean_N'] / 1e3:.2f} +{strand['sd_N'] / 1e3:.2f} "
                   rf"+{strand['p999_N'] / 1e3:.2f} +{strand['max_N'] / 1e3:.2f} "
                   rf"+{strand['mid_sd_m'] * 1e3:.3f} .*81\.0")
            self.assertRegex(text, row)
        for part in ["MAN B&W 6S90MC-C at 76 rpm", "mean [kN]", "99.9 % [kN]", "middle sd [mm]",
                     "main frequencies [Hz]", "link 1: mean ", " % of the breaking load",
                     "roller 1 mean ", "mrad", "crankshaft gives ", "steady: ", "steps/s",
                     f"largest force of any link: {self.found['link_max_N'] / 1e3:.2f} kN"]:
            self.assertIn(part, text)


class Spectra(unittest.TestCase):
    def assert_near_one_of(self, frequency_Hz: float, peaks_Hz: list, within_Hz: float):
        self.assertTrue(any(abs(peak - frequency_Hz) < within_Hz for peak in peaks_Hz),
                        f"{frequency_Hz} not in {peaks_Hz}")

    def test_teeth_are_heard_in_every_strand(self):
        found = run_json(*PLAIN, "--duration-s", "2", "--stats-from-s", "1")
        for strand in found["strands"]:
            self.assertAlmostEqual(strand["peaks_Hz"][0], TOOTH_HZ, delta=0.1)
        self.assertEqual(found["tightener"], {"centre_m": found["tightener"]["centre_m"],
                                              "arm_angle_rad": 0, "arm_sd_rad": 0,
                                              "com_peaks_Hz": []})
        self.assertAlmostEqual(found["tightener"]["centre_m"][0], 0.333199, places=6)
        self.assertAlmostEqual(found["tightener"]["centre_m"][1], 4.748179, places=6)

    def test_the_crank_order_is_heard(self):
        found = run_json(*PLAIN, "--order", "6", "--accel-amplitude", "7", "--duration-s", "2.5",
                         "--stats-from-s", "1")
        self.assert_near_one_of(7.6, found["strands"][0]["peaks_Hz"], 0.1)
        self.assertGreater(found["strands"][0]["sd_N"], 1e5)


class Options(InFolder):
    SHORT = ("--duration-s", "0.2")

    def test_each_acts(self):
        plain = run_json(ENGINE, *self.SHORT)
        for option in (["--bars", "off"], ["--tightener", "fixed"], ["--profile", "circular"],
                       ["--start-phase", "0.5"], ["--integrator", "verlet"], ["--speed-rpm", "70"],
                       ["--set", "chain.joint_damping_N_m_s=5"], ["--start", "rest"]):
            with self.subTest(option):
                found = run_json(ENGINE, *self.SHORT, *option)
                self.assertNotEqual(found["state_hash"], plain["state_hash"])
                self.assertNotEqual(found["strands"], plain["strands"])

    def test_what_is_measured_does_not_act_on_the_chain(self):
        plain = run_json(ENGINE, *self.SHORT)
        other = run_json(ENGINE, *self.SHORT, "--tag-link", "72", "--tag-roller", "120",
                         "--stats-from-s", "0.15", "--out", self.folder / "x.csv")
        self.assertEqual(other["state_hash"], plain["state_hash"])
        self.assertNotEqual(other["tagged_link"], plain["tagged_link"])
        self.assertNotEqual(other["tagged_roller"], plain["tagged_roller"])

    def test_step(self):
        fine = run_json(*PLAIN, "--duration-s", "0.5", "--step-us", "25")
        self.assertEqual((fine["steps"], fine["step_s"]), (20000, 25e-6))
        plain = run_json(*PLAIN, "--duration-s", "0.5", "--step-us", "50")
        self.assertEqual(plain["state_hash"],
                         run_json(*PLAIN, "--duration-s", "0.5")["state_hash"])  # the default
        for a, b in zip(fine["strands"], plain["strands"]):
            self.assertAlmostEqual(a["mean_N"] / b["mean_N"], 1, delta=0.005)

    def test_precisions_and_integrators_agree(self):
        plain = run_json(*PLAIN, "--duration-s", "0.5")
        for option, tolerance in ((["--precision", "mixed"], 1e-3), (["--precision", "float"], 5e-3),
                                  (["--integrator", "verlet"], 5e-3)):
            with self.subTest(option):
                found = run_json(*PLAIN, "--duration-s", "0.5", *option)
                self.assertEqual(found[option[0].strip("-")], option[1])
                self.assertNotEqual(found["state_hash"], plain["state_hash"])
                for a, b in zip(found["strands"], plain["strands"]):
                    self.assertAlmostEqual(a["mean_N"] / b["mean_N"], 1, delta=tolerance)

    def test_small_drives_are_told_in_newton_and_balance(self):
        found = run_json("no80", "--duration-s", "0.5")
        power = found["power_W"]
        self.assertAlmostEqual(power["driver"] / sum(list(power.values())[1:]), 1, delta=0.02)
        self.assertTrue(found["steady"]["reached"])
        self.assertLess(abs(found["steady"]["last_imbalance"]), 0.05)
        self.assertTrue(0 < found["steady"]["from_s"] < 0.5)
        self.assertIsNone(found["tightener"])
        self.assertIn("mean [N]", taut_run("no80", "--duration-s", "0.05").stdout)


class CrankMotion(InFolder):
    def table(self, rows: int, offset_rad_s2: float = 0) -> str:
        angles = [360 * i / rows for i in range(rows)]
        return "".join(f"{angle:.6f}, {math.sin(6 * math.radians(angle)) + offset_rad_s2:.9f}\n"
                       for angle in angles)

    def test_a_sampled_sine_is_as_good_as_the_order(self):
        times = ("--duration-s", "1.6", "--stats-from-s", "0.8")
        order = run_json(ENGINE, *times, *SHAKEN)
        path = self.write("# crank angle, acceleration\nangle_deg, rad_s2\n" +
                          self.table(120, offset_rad_s2=0.25))
        table = run_json(ENGINE, *times, "--accel-table", path, "--fade-in-s", "0.2")
        self.assertAlmostEqual(table["crank"]["table_mean_removed_rad_s2"], 0.25, places=6)
        for a, b in zip(table["strands"], order["strands"]):
            for key, delta in (("mean_N", 0.002), ("sd_N", 0.01), ("max_N", 0.02)):
                self.assertAlmostEqual(a[key] / b[key], 1, delta=delta)

    def test_a_table_may_end_where_it_began(self):
        short = ("--duration-s", "0.1", "--fade-in-s", "0")
        closed = self.write(self.table(36) + "360, 0\n")
        found = run_json(ENGINE, *short, "--accel-table", closed)
        plain = run_json(ENGINE, *short, "--accel-table", self.write(self.table(36), "open.csv"))
        self.assertEqual(found["state_hash"], plain["state_hash"])

    def test_series_changes_the_speed(self):
        path = self.write("".join(f"{0.01 * i:.2f},0.5\n" for i in range(201)), "series.csv")
        found = run_json(ENGINE, "--accel-series", path, "--duration-s", "1")
        # 0.5 rad/s^2 for 0.75 s on average
        self.assertAlmostEqual(found["crank"]["mean_speed_rpm"], 76 + 0.375 * 60 / (2 * math.pi),
                               delta=0.01)

    def test_from_rest(self):
        path = self.folder / "run.csv"
        found = run_json(ENGINE, "--start", "rest", "--run-up-s", "0.5", "--duration-s", "0.8",
                         "--stats-from-s", "0.6", "--out", path, "--out-interval-s", "0.1")
        self.assertAlmostEqual(found["crank"]["mean_speed_rpm"], 76, delta=0.001)
        with open(path) as file:
            speeds = [float(row["sprocket_speed_rad_s[1]"]) for row in csv.DictReader(file)]
        self.assertEqual(speeds[0], 0)
        self.assertEqual(speeds, sorted(speeds))
        self.assertAlmostEqual(speeds[-1], 76 / 60 * 2 * math.pi, delta=1e-5)


class Csv(InFolder):
    ONCE = ["time_s", "tagged_link_N", "tagged_roller_contact_N", "contact_max_N"]
    EACH = ["strand_mean_N", "strand_middle_N", "strand_middle_m"]
    ARM = ["arm_angle_rad", "arm_speed_rad_s", "tightener_x_m", "tightener_y_m",
           "arm_mass_centre_x_m", "arm_mass_centre_y_m", "tightener_force_N", "piston_travel_m",
           "chamber_pressure_Pa", "valve_flow_m3_s"]
    SPROCKETS = ["sprocket_speed_rad_s", "bearing_x_N", "bearing_y_N", "offset_x_m", "offset_y_m"]
    POWERS = ["driver_torque_N_m", "driver_W", "link_W", "joint_W", "contact_W", "friction_W",
              "bearing_W", "tightener_W", "load_W", "supply_W"]

    def names(self, sprockets: int) -> list:
        each = [f"[{i + 1}]" for i in range(sprockets)]
        return (self.ONCE + [name + i for name in self.EACH for i in each] + self.ARM +
                [name + i for name in self.SPROCKETS for i in each] + self.POWERS)

    def read(self, path: pathlib.Path):
        header, *rows = path.read_text().splitlines()
        return header.split(","), [[float(word) for word in row.split(",")] for row in rows]

    def test_columns_and_rows(self):
        path = self.folder / "run.csv"
        done = taut_run(ENGINE, "--duration-s", "0.1", "--out", path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(f"{path}, 201 rows", done.stdout)
        header, rows = self.read(path)
        self.assertEqual(header, self.names(4))
        self.assertEqual(len(rows), 201)
        for number, row in enumerate(rows):
            self.assertAlmostEqual(row[0], number * 0.5e-3, places=9)
            self.assertEqual(len(row), len(header))
        self.assertTrue(all(map(math.isfinite, rows[-1])))
        self.assertEqual(list(self.folder.iterdir()), [path])

    def test_statistics_are_those_of_the_rows(self):
        path = self.folder / "run.csv"
        times = ("--duration-s", "0.3", "--stats-from-s", "0.1")
        found = run_json(ENGINE, *times, "--out", path, "--out-interval-s", "5e-5")
        # They see every step, also those that no row is written of.
        self.assertEqual(without_clock(run_json(ENGINE, *times)), without_clock(found))
        header, rows = self.read(path)
        rows = [row for row in rows if row[0] > 0.1 + 1e-9]
        self.assertEqual(len(rows), 4000)
        column = {name: [row[i] for row in rows] for i, name in enumerate(header)}

        def assert_close(value, expected):
            self.assertAlmostEqual(value, expected, delta=2e-6 * abs(expected))

        def assert_force(said: dict, samples: list):
            assert_close(said["mean_N"], statistics.fmean(samples))
            assert_close(said["max_N"], max(samples))
            assert_close(said["p999_N"], sorted(samples)[3995])  # 4 of 4000 are above
            self.assertAlmostEqual(said["sd_N"], statistics.pstdev(samples), delta=1)

        for number, strand in enumerate(found["strands"], 1):
            assert_force(strand, column[f"strand_middle_N[{number}]"])
            assert_close(strand["mean_of_links_N"],
                         statistics.fmean(column[f"strand_mean_N[{number}]"]))
            middle_m = column[f"strand_middle_m[{number}]"]
            assert_close(strand["mid_mean_m"], statistics.fmean(middle_m))
            self.assertAlmostEqual(strand["mid_sd_m"], statistics.pstdev(middle_m), delta=1e-8)
        assert_force(found["tagged_link"], column["tagged_link_N"])
        assert_close(found["contact_max_N"], max(column["contact_max_N"]))
        assert_close(found["tagged_roller"]["mean_N"],
                     statistics.fmean(column["tagged_roller_contact_N"]))
        assert_close(found["tightener"]["centre_m"][0], statistics.fmean(column["tightener_x_m"]))
        self.assertAlmostEqual(found["tightener"]["arm_sd_rad"],
                               statistics.pstdev(column["arm_angle_rad"]), delta=1e-8)
        for name, power_W in found["power_W"].items():
            assert_close(power_W, statistics.fmean(column[f"{name}_W"]))

    def test_interval_in_whole_steps(self):
        path = self.folder / "run.csv"
        run_json(ENGINE, "--duration-s", "0.1", "--out", path, "--out-interval-s", "0.00033")
        _, rows = self.read(path)
        self.assertEqual(len(rows), 286)  # 7 steps of 50 us each
        self.assertAlmostEqual(rows[1][0], 0.00035, places=9)

    def test_an_old_file_is_replaced_at_the_end_only(self):
        path = self.write("as it was", "run.csv")
        self.assert_refused(taut_run(ENGINE, "--out", path, "--set", "chain.links=9"), 1)
        self.assertEqual(path.read_text(), "as it was")
        run_json("no80", "--duration-s", "0.001", "--out", path)
        self.assertEqual(self.read(path)[0], self.names(2))
        self.assertEqual(list(self.folder.iterdir()), [path])

    def test_an_interrupted_run_leaves_nothing(self):
        path = self.folder / "run.csv"
        running = subprocess.Popen([TAUT, "run", ENGINE, "--duration-s", "60", "--out", path])
        self.addCleanup(running.wait)
        self.addCleanup(running.kill)
        for _ in range(200):
            if list(self.folder.iterdir()):
                break
            time.sleep(0.05)
        self.assertEqual(len(list(self.folder.iterdir())), 1)
        running.terminate()  # not SIGINT: what a shell starts in the background does not hear it
        self.assertEqual(running.wait(timeout=20), -signal.SIGTERM)
        self.assertEqual(list(self.folder.iterdir()), [])


class WrongUse(InFolder):
    def test_step_over_the_limit_names_it(self):
        self.assert_refused(taut_run(ENGINE, "--step-us", "80"), 2, "--step-us 80", "67.415 us",
                            "default is 50 us")

    def test_times(self):
        for arguments, *parts in [
                (["--stats-from-s", "12"], "--stats-from-s 12", "0 to below 10 s"),
                (["--stats-from-s", "10"], "--stats-from-s 10", "0 to below 10 s"),
                (["--duration-s", "0.00002"], "--duration-s 2e-05", "one step, 5e-05 s"),
                (["--duration-s", "0"], "--duration-s: 0: allowed 1e-06 to 100000 s"),
                (["--duration-s", "90000"], "more samples than memory", "--duration-s"),
                (["--run-up-s", "1"], "--run-up-s 1", "--start rest"),
                (["--out-interval-s", "1"], "--out-interval-s requires --out")]:
            with self.subTest(arguments):
                self.assert_refused(taut_run(ENGINE, *arguments), 2, *parts)

    def test_values(self):
        for arguments, *parts in [
                (["--speed-rpm", "-5"], "--speed-rpm: -5: allowed 0.01 to 20000 rpm"),
                (["--speed-rpm", "nan"], "--speed-rpm: nan: allowed"),
                (["--speed-rpm", "fast"], "--speed-rpm: fast: allowed"),
                (["--order", "6"], "--order requires --accel-amplitude"),
                (["--accel-amplitude", "6"], "--accel-amplitude requires --order"),
                (["--order", "0", "--accel-amplitude", "6"], "--order: 0: allowed 1 to 1000"),
                (["--start-phase", "1"], "--start-phase: 1: allowed 0 to 0.999999"),
                (["--tag-link", "145"], "--tag-link 145: allowed 1 to 144"),
                (["--tag-roller", "0"], "--tag-roller 0: allowed 1 to 144"),
                (["--model", "string"], "--model", "string", "roller"),
                (["--integrator", "rk4"], "--integrator", "rk4", "verlet"),
                (["--precision", "half"], "--precision", "half", "mixed"),
                (["--bars", "none"], "--bars", "none", "off"),
                (["--profile", "square"], "--profile", "square", "circular"),
                (["--tightener", "rope"], "--tightener", "rope", "arm")]:
            with self.subTest(arguments):
                self.assert_refused(taut_run(ENGINE, *arguments), 2, *parts)

    def test_drives(self):
        self.assert_refused(taut_run("6s90mc"), 1, "did you mean 6s90mc-c")
        self.assert_refused(taut_run(), 2, "DRIVE")
        self.assert_refused(taut_run(ENGINE, "--set", "crank.speed_rpm=0"), 1,
                            "crank.speed_rpm = 0", "--speed-rpm")

    def test_tables(self):
        good = [f"{10 * i}, {i % 3}" for i in range(36)]

        def changed(line: int, text: str) -> str:
            return "\n".join(good[:line - 1] + [text] + good[line:]) + "\n"

        for text, *parts in [
                (changed(8, "75, 1"), ":8: angle 75 deg: is not equally spaced; expected 70"),
                (changed(8, "70, one"), ':8: "one": is not a number; acceleration in rad/s^2'),
                (changed(8, "7o, 1"), ':8: "7o": is not a number; angle in deg'),
                (changed(8, "70, nan"), ':8: "nan": is not a number'),
                (changed(8, "70, 1e6"), ":8: acceleration 1000000 rad/s^2: allowed -100000 to"),
                (changed(8, "70; 1"), ':8: "70; 1": is not of two columns', "a comma"),
                (changed(8, "70, 1, 2"), ":8:", "is not of two columns"),
                (changed(8, "60, 1"), ":8: angle 60 deg: does not grow"),
                (changed(1, "0, x"), ':1: "x": is not a number'),
                ("\n".join(good[1:]), ":1: angle 10 deg: the first row must be at 0 deg"),
                ("\n".join(good[:-1]), ":35: angle 340 deg is the last", "350 or 360"),
                ("\n".join(good + ["360, 5"]), ":37: acceleration 5 rad/s^2 at 360 deg"),
                ("0,1\n120,2\n240,3\n", ": has 3 rows of numbers; allowed 4 to 1024"),
                ("0,1\n120,2\n240,3\n360,1\n", "fewer than 4 rows before 360"),
                ("".join(f"{360 * i / 1025},1\n" for i in range(1025)), "more than 1024 rows"),
                ("", ": has 0 rows of numbers")]:
            with self.subTest(parts[0]):
                path = self.write(text)
                out = self.folder / "out.csv"
                self.assert_refused(taut_run(ENGINE, "--accel-table", path, "--out", out), 2,
                                    str(path), *parts)
                self.assertEqual(list(self.folder.iterdir()), [path])
        missing = self.folder / "missing.csv"
        self.assert_refused(taut_run(ENGINE, "--accel-table", missing), 2, str(missing),
                            "cannot be read: No such file")
        self.assert_refused(taut_run(ENGINE, "--accel-table", self.folder), 2, str(self.folder),
                            "cannot be read")

    def test_series(self):
        for text, *parts in [("0,1\n", ": has 1 rows of numbers; allowed 2 to"),
                             ("0,1\n0.1,1\n0.3,1\n", ":3: time 0.3 s: is not equally spaced"),
                             ("s,rad/s2\n0,1\n0.1,b\n", ':3: "b": is not a number')]:
            with self.subTest(parts[0]):
                path = self.write(text)
                self.assert_refused(taut_run(ENGINE, "--accel-series", path), 2, str(path), *parts)

    def test_output_that_cannot_be_written(self):
        path = self.folder / "nowhere" / "out.csv"
        self.assert_refused(taut_run(ENGINE, "--out", path), 2, f"{path}: cannot be written",
                            "No such file")
        self.assert_refused(taut_run(ENGINE, "--out", self.folder), 2, "it is a folder")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_no_solution_leaves_no_file(self):
        out = self.folder / "out.csv"
        # At 2.4 km/s the chain's own mass is more than its links can hold together.
        self.assert_refused(taut_run(ENGINE, "--speed-rpm", "20000", "--out", out), 3,
                            "flown apart by 0.", "--step-us", " us; try")
        self.assertEqual(list(self.folder.iterdir()), [])
        self.assert_refused(
            taut_run("6l60mc", "--set", "sprocket[2].load_torque_N_m=5e6", "--out", out), 3,
            "load torques")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_crank_that_turns_backwards(self):
        self.assert_refused(taut_run(ENGINE, "--order", "6", "--accel-amplitude", "2000"), 2,
                            "turns backwards at 0.", "--accel-amplitude")


class Terminal(unittest.TestCase):
    def test_progress_on_a_terminal_only(self):
        reader, writer = pty.openpty()
        done = subprocess.run([TAUT, "run", ENGINE, "--duration-s", "0.4"], stdout=subprocess.PIPE,
                              stderr=writer, text=True, timeout=60)
        os.close(writer)
        shown = os.read(reader, 65536).decode()
        os.close(reader)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(shown, r"taut run: 0\.\d+ of 0\.4 s, \d+ s left")
        self.assertTrue(shown.endswith("\r\033[K"), repr(shown))
        self.assertNotIn("left", done.stdout)

    def test_help(self):
        text = taut_run("--help").stdout
        self.assertIn("Examples:\n  taut run ", text)
        self.assertIn("semi-implicit Euler", text)
        self.assertIn("velocity Verlet", text)
        self.assertTrue(re.search(r"(?m)^  --accel-table FILE", text))


if __name__ == "__main__":
    unittest.main()
