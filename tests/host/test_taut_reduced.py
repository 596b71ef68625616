#!/usr/bin/env python3
"""The reduced model as a user meets it: taut reduce, run, sweep and validate. TAUT: the program.

Runs are short: what is tested here is the commands. How good the model is: tests/unit.
"""

import csv
import io
import json
import os
import pathlib
import re
import struct
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree
import zlib

from in_folder import InFolder

TAUT = os.environ["TAUT"]
ENGINE = "6s90mc-c"
SLACK = "no40"  # outside of what the model is valid for
POINTS = pathlib.Path(__file__).parents[1] / "data" / "reduced_holdouts.toml"


def taut(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run([TAUT, *map(str, arguments)], capture_output=True, text=True, timeout=300)


def taut_json(*arguments) -> dict:
    done = taut(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def setUpModule():
    """The engine reduced once, for all: it takes seconds."""
    global FOLDER, BLOCK, HEADER, REDUCED
    FOLDER = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(FOLDER.cleanup)
    BLOCK, HEADER = (pathlib.Path(FOLDER.name) / name for name in ("engine.tautblock", "engine.h"))
    REDUCED = taut_json("reduce", ENGINE, "-o", BLOCK, "--cpp", HEADER)


def run(*arguments) -> dict:
    return taut_json("run", ENGINE, "--duration-s", 1, *arguments)


def run_reduced(*arguments) -> dict:
    return run("--model", "reduced", "--block", BLOCK, *arguments)


class Reduce(InFolder):
    def test_a_block_and_what_it_says_of_itself(self):
        found, block = REDUCED, BLOCK.read_bytes()
        magic, version, size, crc, drive = struct.unpack("<4sIIIQ", block[:24])
        self.assertEqual(magic, b"TAUT")
        self.assertEqual(version, found["version"])
        self.assertEqual(size, len(block))
        self.assertEqual(len(block), found["block_bytes"])
        self.assertEqual(f"{drive:016x}", found["drive_hash"])
        self.assertEqual(crc, zlib.crc32(block[:12] + block[16:]))  # one that others know
        self.assertEqual(f"{crc:08x}", found["crc"])

    def test_rest_against_the_full_model(self):
        found = REDUCED["at_rest"]
        full = taut_json("statics", ENGINE)
        for strand, force_N in zip(found["strands_N"], full["strands_N"], strict=True):
            self.assertAlmostEqual(strand["full"], force_N, delta=1e-9 * force_N)
            self.assertLess(abs(strand["error"]), 0.005)
        self.assertLess(abs(found["arm_angle_rad"]["error"]), 0.01)
        self.assertEqual(len(found["torsional_Hz"]), 3)
        for mode in found["torsional_Hz"]:
            self.assertLess(abs(mode["error"]), 0.02)

    def test_the_same_drive_gives_the_same_block(self):
        path = self.folder / "again"
        done = taut("reduce", ENGINE, "-o", path)
        self.assertEqual(path.read_bytes(), BLOCK.read_bytes())
        for part in ["MAN B&W 6S90MC-C, reduced", "strand 4 [kN]", "arm [mrad]", "torsion [Hz]",
                     "bytes, format 2", "checksum", f"written: {path}"]:
            self.assertIn(part, done.stdout)

    def test_as_a_header(self):
        words = re.findall(r"0x([0-9a-f]{16})", HEADER.read_text())
        self.assertEqual(struct.pack(f"<{len(words)}Q", *(int(word, 16) for word in words)),
                         BLOCK.read_bytes())

    def test_a_drive_that_cannot_be_reduced(self):
        path = self.folder / "block"
        self.assert_refused(taut("reduce", SLACK, "-o", path), 3, "cannot be reduced", " N")
        self.assertFalse(path.exists())
        self.assert_refused(taut("run", SLACK, "--model", "reduced"), 3, "cannot be reduced")

    def test_why_a_drive_cannot_be_reduced(self):
        worn = (ENGINE, "--tightener", "fixed", "--set", "chain.elongation=0.0008")
        for drive, parts in {
                # The full model's strands, and what the wrap holds.
                ("no40",): ["sprocket 1", "12 pitches", "1.6 %", "1.4 %", "2.7 N"],
                ("no80",): ["sprocket 1", "3.4e+03 N in strand 2", "strand 1", "1.7 %", "1.3 %"],
                ("timing",): ["6e+02 Hz", "3.2e+02 Hz", "0.5 ms", "--model roller"],
                worn: ["pre-tension is too low", "5.9e+03 N", "1.5 times its own weight", "7e+03 N",
                       "taut retighten"],
        }.items():
            with self.subTest(drive):
                self.assert_refused(taut("reduce", *drive), 3, "cannot be reduced", *parts)

    def test_low_pre_tension_is_told(self):
        self.assertEqual(REDUCED["warnings"], [])
        [warning] = taut_json("reduce", "6l60mc")["warnings"]
        # 3.01 kg / 88.9 mm (60 x 88.9 mm x 2 / s)^2, against the least strand at rest.
        for part in ["pre-tension is low", "4.4e+03 N", "3.9e+03 N", "120 rpm", "88 %"]:
            self.assertIn(part, warning)

    def test_without_bars(self):
        self.assertGreater(REDUCED["bar_points"], 0)
        bare = taut_json("reduce", ENGINE, "--bars", "off", "-o", self.folder / "bare")
        self.assertEqual(bare["bar_points"], 0)
        found = taut_json("run", ENGINE, "--bars", "off", "--model", "reduced", "--block",
                          self.folder / "bare", "--duration-s", 0.1)
        self.assertEqual(found["model"], "reduced")
        full = taut_json("statics", ENGINE, "--bars", "off")
        for strand, force_N in zip(bare["at_rest"]["strands_N"], full["strands_N"], strict=True):
            self.assertAlmostEqual(strand["full"], force_N, delta=1e-9 * force_N)
        self.assert_refused(taut("reduce", ENGINE, "--bars", "none"), 2, "--bars", "none", "off")


class Run(InFolder):
    def test_same_keys_as_the_full_model(self):
        full, reduced = run(), run_reduced()
        self.assertEqual(set(reduced) - set(full), {"health_steps"})
        self.assertEqual(set(full) - set(reduced), set())
        self.assertEqual(reduced["model"], "reduced")
        self.assertEqual(reduced["step_s"], 0.0005)
        self.assertEqual(reduced["precision"], "float")
        self.assertIsNone(reduced["steady"])
        self.assertEqual(set(reduced["health_steps"].values()), {0})
        for ours, theirs in zip(reduced["strands"], full["strands"], strict=True):
            self.assertEqual(set(ours), set(theirs))
            self.assertLess(abs(ours["mean_N"] / theirs["mean_N"] - 1), 0.05)

    def test_same_columns_as_the_full_model(self):
        headers = []
        for model, runner in {"roller": run, "reduced": run_reduced}.items():
            path = self.folder / model
            runner("--out", path)
            rows = list(csv.reader(io.StringIO(path.read_text())))
            self.assertEqual(len(rows), 1 + 2001)
            headers.append(rows[0])
        self.assertEqual(headers[0], headers[1])

    def test_from_a_block(self):
        self.assertEqual(run_reduced()["state_hash"], run("--model", "reduced")["state_hash"])

    def test_a_block_that_does_not_fit(self):
        path, block = self.folder / "block", BLOCK.read_bytes()

        def refused(contents: bytes, *parts: str, more=()):
            path.write_bytes(contents)
            done = taut("run", ENGINE, "--model", "reduced", "--block", path, *more)
            self.assert_refused(done, 2, str(path), "taut reduce", *parts)

        refused(block, "another drive", more=("--set", "chain.elongation=0.0001"))
        refused(block, "another drive", more=("--bars", "off"))
        refused(b"", "shorter")
        refused(block[:-1], "shorter")
        refused(b"no block at all, but long enough", "no block")
        refused(block[:4] + b"\x63" + block[5:], "version")
        refused(block[:8] + b"\x63" + block[9:], "size")
        refused(block[:50_000] + bytes([block[50_000] ^ 1]) + block[50_001:], "damaged")
        path.unlink()
        done = taut("run", ENGINE, "--model", "reduced", "--block", path)
        self.assert_refused(done, 2, "cannot be read")
        self.assert_refused(taut("run", ENGINE, "--block", path), 2, "--model reduced")

    def test_options_of_the_full_model_only(self):
        for option in (("--step-us", "20"), ("--integrator", "verlet"), ("--precision", "double"),
                       ("--start-phase", "0.5")):
            with self.subTest(option):
                done = taut("run", ENGINE, "--model", "reduced", *option)
                self.assert_refused(done, 2, *option, "the reduced model", "leave it out")

    def test_models_side_by_side_in_a_sweep(self):
        found = taut_json("sweep", ENGINE, "--over", "model=roller,reduced", "--duration-s", 0.2)
        self.assertEqual([run["model"] for run in found["runs"]], ["roller", "reduced"])
        self.assertEqual(found["failed"], 0)


class Validate(InFolder):
    SHORT = ("--settle-s", 0.5, "--window-s", 0.25)

    def test_figures_are_those_of_runs(self):
        found = taut_json("validate", ENGINE, "--constant", 60, "--orders", "none", "--settle-s",
                          0.5, "--window-s", 0.9)  # a turn is longer, and taken
        point = found["points"][0]
        self.assertEqual((point["speed_rpm"], point["order"], point["failure"]), (60, None, None))
        for model in ("full", "fast"):
            alone = taut_json("run", ENGINE, "--speed-rpm", 60, "--duration-s", 3.5,
                              "--stats-from-s", 0.5,
                              *(("--precision", "mixed", "--step-us", 1e6 * point["full_step_s"])
                                if model == "full" else ("--model", "reduced", "--block", BLOCK)))
            for strand, compared in zip(alone["strands"], point["strands"], strict=True):
                # The mean of three windows of one length is that of the whole.
                self.assertAlmostEqual(compared["mean_N"][model] / strand["mean_N"], 1, 9)
            self.assertAlmostEqual(point["driver_W"][model] / alone["power_W"]["driver"], 1, 6)
        for strand in point["strands"]:
            for figure in strand.values():
                self.assertAlmostEqual(figure["error"], figure["fast"] / figure["full"] - 1)
                self.assertGreaterEqual(figure["full_windows_differ"], 0)

    def test_without_bars(self):
        bars, bare = (taut_json("validate", ENGINE, "--constant", 60, "--orders", "none", "--bars",
                                bars, *self.SHORT)["points"][0] for bars in ("on", "off"))
        alone = taut_json("run", ENGINE, "--bars", "off", "--speed-rpm", 60, "--duration-s", 3.5,
                          "--stats-from-s", 0.5, "--precision", "mixed")
        for with_bars, without, run_alone in zip(bars["strands"], bare["strands"],
                                                 alone["strands"], strict=True):
            self.assertNotEqual(with_bars["mean_N"], without["mean_N"])
            self.assertAlmostEqual(without["mean_N"]["full"] / run_alone["mean_N"], 1, 9)
            self.assertLess(abs(without["mean_N"]["error"]), 0.05)

    def test_the_summary_follows_from_the_points(self):
        found = taut_json("validate", ENGINE, "--constant", "none", "--speeds", "60,70,80",
                          "--amplitudes", 3, *self.SHORT)
        self.assertEqual([point["speed_rpm"] for point in found["points"]], [60, 70, 80])
        self.assertIsNone(found["summary"]["constant"]["mean"])
        for name in ("mean", "sd", "p999"):
            errors = sorted((abs(strand[f"{name}_N"]["error"]) for point in found["points"]
                             for strand in point["strands"]))
            summary = found["summary"]["accelerated"][name]
            self.assertEqual(summary["count"], 12)
            self.assertAlmostEqual(summary["median"], (errors[5] + errors[6]) / 2)
            self.assertAlmostEqual(abs(summary["worst"]), errors[-1])

    def test_resonances_are_matched_with_the_nearest_peak(self):
        found = taut_json("validate", ENGINE, "--constant", "none", "--speeds", "60:84:4",
                          "--amplitudes", 3, *self.SHORT)
        [resonance] = found["resonances"]
        heights = [point["strands"][resonance["strand"] - 1]["p999_N"] for point in found["points"]]
        full = [height["full"] for height in heights]
        reduced = [height["fast"] for height in heights]
        top = full.index(max(full))
        self.assertEqual(resonance["full_height_N"], full[top])
        # Speeds are further apart than what counts as close: a peak has lower neighbours only.
        peaks = [i for i, height in enumerate(reduced)
                 if all(reduced[k] <= height for k in (i - 1, i + 1) if 0 <= k < len(reduced))]
        self.assertIn(resonance["fast_height_N"], [reduced[i] for i in peaks])
        off_rpm = abs(resonance["fast_rpm"] - resonance["full_rpm"])
        for i in peaks:  # its parabola's top is within half a step
            self.assertLessEqual(off_rpm, abs(60 + 4 * i - resonance["full_rpm"]) + 2)

    def test_the_full_model_in_steps_whose_powers_balance(self):
        # Seats under 2 MN are stiffer than links: at 50 us they lose twice what they are given.
        found = taut_json("validate", ENGINE, "--constant", 76, "--speeds", 66, "--amplitudes", 7,
                          "--settle-s", 3, "--window-s", 0.9)
        gentle, hard = found["points"]
        self.assertEqual(gentle["full_step_s"], 5e-5)
        self.assertLess(abs(gentle["full_power_gap"]), 0.05)
        self.assertIn(hard["full_step_s"], (2.5e-5, 1.25e-5))

        def gap(step_us: float) -> float:
            run = taut_json("run", ENGINE, "--speed-rpm", 66, "--order", 6, "--accel-amplitude", 7,
                            "--stats-from-s", 3, "--duration-s", 5.7285, "--precision", "mixed",
                            "--step-us", step_us)["power_W"]
            lost = sum(watts for name, watts in run.items() if name not in ("driver", "supply"))
            return (run["driver"] + run["supply"] - lost) / lost

        self.assertLess(gap(50), -0.2)
        self.assertAlmostEqual(hard["full_power_gap"], gap(1e6 * hard["full_step_s"]), 6)
        self.assertTrue(abs(hard["full_power_gap"]) <= 0.05 or hard["full_step_s"] == 1.25e-5)
        self.assertEqual(abs(found["largest_full_power_gap"]),
                         max(abs(point["full_power_gap"]) for point in found["points"]))

    def test_a_link_round_the_loop(self):
        # Long enough for a loop of 144 links at 90 rpm and 64 teeth: 1.5 s.
        found = taut_json("validate", ENGINE, "--constant", 90, "--orders", "none", "--settle-s", 1,
                          "--window-s", 0.5)
        tagged = found["points"][0]["tagged_link"]
        self.assertTrue(tagged["same_order"])
        self.assertGreaterEqual(tagged["full_passages"], 4)
        self.assertEqual(tagged["full_passages"], tagged["fast_passages"])
        self.assertLess(tagged["largest_delay_pitches"], 1)
        self.assertLess(tagged["rms_of_difference_N"], 0.2 * tagged["mean_N"])

    def test_files_and_text(self):
        table, picture = self.folder / "errors.csv", self.folder / "errors.svg"
        done = taut("validate", ENGINE, "--constant", 76, "--speeds", "60,70,80", "--amplitudes",
                    "2,4", *self.SHORT, "--csv", table, "--plot", picture)
        self.assertEqual(done.returncode, 0, done.stderr)
        for part in ["the reduced model against every roller; 3 windows of 0.25 s or more after 0.5 s",
                     "76 rpm", "60 rpm, order 6, 2 rad/s^2", "resonance", "constant speed: mean",
                     "accelerated: 99.9 % peak", "driver power", "link once round the loop",
                     "torsion [Hz]", "the full model in steps of "]:
            self.assertIn(part, done.stdout)
        rows = list(csv.DictReader(io.StringIO(table.read_text())))
        self.assertEqual(len(rows), 7 * 4)
        for row in rows:
            self.assertIn(float(row["full_step_s"]), (5e-5, 2.5e-5, 1.25e-5))
            self.assertGreater(abs(float(row["full_power_gap"])), 0)
            self.assertAlmostEqual(float(row["p999_error"]),
                                   float(row["p999_reduced_N"]) / float(row["p999_full_N"]) - 1, 6)
        root = xml.etree.ElementTree.parse(picture).getroot()
        texts = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
        for part in ["order 6, 2 rad/s^2, strand", "once round the loop at 76 rpm", "largest error",
                     "errors of the reduced model"]:
            self.assertTrue(any(part in text for text in texts if text), part)

    def test_a_point_that_fails_leaves_the_others_be(self):
        done = taut("validate", ENGINE, "--constant", "none", "--speeds", 70, "--amplitudes",
                    "3,2000", *self.SHORT, "--json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("70 rpm, order 6, 2000 rad/s^2: the crankshaft turns backwards", done.stderr)
        good, bad = json.loads(done.stdout)["points"]
        self.assertIsNone(good["failure"])
        self.assertEqual(len(good["strands"]), 4)
        self.assertIn("backwards", bad["failure"])

    def test_the_hold_outs_are_read(self):
        text = POINTS.read_text()
        few = "\n".join(text.split("[[point]]")[0:1]) + "".join(
            "[[point]]" + part for part in text.split("[[point]]")[-3:])
        path = self.folder / "points.toml"
        path.write_text(few)
        found = taut_json("validate", ENGINE, "--points", path, "--settle-s", 0.1, "--window-s",
                          0.05)
        self.assertEqual([point["tightener"] for point in found["points"]],
                         ["fixed", "hydraulic", ""])
        self.assertEqual(found["points"][2]["set"], ["chain.elongation=0.0001"])
        self.assertEqual([variant["variant"] for variant in found["at_rest"]],
                         ["tightener fixed", "tightener hydraulic", "chain.elongation=0.0001"])

    def test_wrong_points_files(self):
        path = self.folder / "points.toml"
        for contents, parts in {
                "": ["has no point"],
                "[[point]]\nspeed_rpm = 70": [":1: order: is missing", "amplitude_rad_s2"],
                "[[point]]\nspeed_rpm = 70\norder = 6.5\namplitude_rad_s2 = 1":
                    [":3: order = 6.5", "whole numbers"],
                "[[point]]\nspeed_rpm = 'x'\norder = 6\namplitude_rad_s2 = 1":
                    [":2: speed_rpm", "is not a number"],
                "[[point]]\nspeed_rpm = 70\norder = 6\namplitude_rad_s2 = 1\ntightner = 'arm'":
                    [":5: tightner", "did you mean tightener?"],
                "[[points]]\nspeed_rpm = 70": ["points: unknown"],
                "[[point": [":1: "],
        }.items():
            with self.subTest(contents):
                path.write_text(contents)
                self.assert_refused(taut("validate", ENGINE, "--points", path), 2, str(path), *parts)
        self.assert_refused(taut("validate", ENGINE, "--points", self.folder / "none"), 2, "none")

    def test_wrong_use(self):
        for arguments, parts in {
                ("--speeds", "60:x:2"): ["--speeds 60:x:2", "FROM:TO:STEP"],
                ("--amplitudes", "2,,3"): ["--amplitudes 2,,3"],
                ("--orders", "6.5"): ["--orders", "6.5", "whole"],
                ("--amplitudes", "-1"): ["amplitude -1", "allowed 0 to"],
                ("--constant", "0"): ["allowed 0.01 to 20000"],
                ("--constant", "none", "--orders", "none"): ["make 0 points"],
                ("--points", "x", "--speeds", "60"): ["--points", "--speeds"],
                ("--window-s", "0"): ["--window-s", "allowed"],
                ("--csv", "same", "--plot", "same"): ["choose two paths"],
        }.items():
            with self.subTest(arguments):
                self.assert_refused(taut("validate", ENGINE, *arguments), 2, *parts)

    def test_a_drive_that_cannot_be_reduced(self):
        self.assert_refused(taut("validate", SLACK, "--constant", "60"), 3, "cannot be reduced")


if __name__ == "__main__":
    unittest.main()
