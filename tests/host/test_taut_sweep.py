#!/usr/bin/env python3
"""taut sweep as a user and a script meet it. TAUT: path of the program."""

import csv
import io
import itertools
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree

from in_folder import InFolder

TAUT = os.environ["TAUT"]
ENGINE = "6s90mc-c"
SHORT = ("--duration-s", "0.1")


def taut(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run([TAUT, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def sweep(*arguments) -> subprocess.CompletedProcess:
    return taut("sweep", *arguments)


def sweep_json(*arguments, code: int = 0) -> dict:
    done = sweep(*arguments, "--json")
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def run_alone(*arguments) -> dict:
    done = taut("run", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return statistics_of(json.loads(done.stdout))


def statistics_of(run: dict) -> dict:
    """What must be the same however a run was made: all but the clock."""
    others = ("drive", "over", "failure", "wall_s", "real_time_factor")
    return {key: value for key, value in run.items() if key not in others}


def rows_of(path: pathlib.Path) -> list[dict]:
    return list(csv.DictReader(io.StringIO(path.read_text())))


class AsAlone(InFolder):
    """Every run of a sweep is to the bit what `taut run` makes of it."""

    def assert_as_alone(self, found: dict, commands: list):
        self.assertEqual(len(found["runs"]), len(commands))
        for run, command in zip(found["runs"], commands):
            with self.subTest(command):
                self.assertIsNone(run["failure"])
                alone = run_alone(*command)
                self.assertEqual(run["state_hash"], alone["state_hash"])
                self.assertEqual(statistics_of(run), alone)

    def test_a_grid_of_options_and_drive_keys(self):
        found = sweep_json(ENGINE, "--over", "speed-rpm=70:82:6", "--over",
                           "chain.joint_damping_N_m_s=0.5,5", "--order", "6", "--accel-amplitude",
                           "5", *SHORT, "--jobs", "3")
        # The last --over changes first.
        grid = list(itertools.product((70, 76, 82), (0.5, 5)))
        self.assertEqual([tuple(run["over"].values()) for run in found["runs"]], grid)
        self.assertEqual(list(found["runs"][0]["over"]),
                         ["speed-rpm", "chain.joint_damping_N_m_s"])
        self.assert_as_alone(found, [
            (ENGINE, "--speed-rpm", rpm, "--set", f"chain.joint_damping_N_m_s={damping}", "--order",
             6, "--accel-amplitude", 5, *SHORT) for rpm, damping in grid])
        self.assertEqual(len({run["state_hash"] for run in found["runs"]}), 6)

    def test_drives_multiply(self):
        found = sweep_json(ENGINE, "no80", "--over", "start-phase=0,0.5", "--duration-s", "0.05")
        expected = list(itertools.product((ENGINE, "no80"), (0, 0.5)))
        self.assertEqual([(run["drive"], run["over"]["start-phase"]) for run in found["runs"]],
                         expected)
        self.assert_as_alone(found, [(drive, "--start-phase", phase, "--duration-s", 0.05)
                                     for drive, phase in expected])

    def test_words(self):
        found = sweep_json(ENGINE, "--over", "precision=double,mixed,float", "--over", "bars=on,off",
                           "--tightener", "fixed", *SHORT)
        self.assert_as_alone(found, [
            (ENGINE, "--precision", precision, "--bars", bars, "--tightener", "fixed", *SHORT)
            for precision, bars in itertools.product(("double", "mixed", "float"), ("on", "off"))])

    def test_amplitude_alone_may_be_swept(self):
        found = sweep_json(ENGINE, "--over", "accel-amplitude=0:4:2", "--order", "6", *SHORT)
        self.assert_as_alone(found, [(ENGINE, "--order", 6, "--accel-amplitude", a, *SHORT)
                                     for a in (0, 2, 4)])

    def test_files_of_accelerations(self):
        tables = []
        for number in (1, 2):
            tables.append(self.folder / f"table{number}.csv")
            tables[-1].write_text("".join(f"{60 * i},{(i % 3) * number}\n" for i in range(6)))
        series = self.folder / "series.csv"
        series.write_text("".join(f"{i / 100},{i % 5}\n" for i in range(50)))
        both = ("--accel-series", series, "--fade-in-s", "0", *SHORT)
        found = sweep_json(ENGINE, "--over", f"accel-table={tables[0]},{tables[1]}", "--over",
                           "speed-rpm=70,76", *both)
        self.assert_as_alone(found, [(ENGINE, "--accel-table", table, "--speed-rpm", rpm, *both)
                                     for table, rpm in itertools.product(tables, (70, 76))])

    def test_one_run_without_over(self):
        found = sweep_json(ENGINE, *SHORT)
        self.assertEqual(found["over"], [])
        self.assertEqual(found["runs"][0]["over"], {})
        self.assert_as_alone(found, [(ENGINE, *SHORT)])


class Order(unittest.TestCase):
    def test_results_stand_as_asked_for_whatever_ends_first(self):
        durations = [0.8, 0.01, 0.3, 0.02, 0.05, 0.01, 0.4, 0.03]
        over = "duration-s=" + ",".join(map(str, durations))
        one = sweep_json(ENGINE, "--over", over, "--jobs", "1")
        many = sweep_json(ENGINE, "--over", over, "--jobs", "8")
        self.assertEqual((one["workers"], many["workers"]), (1, 8))
        for run, duration_s in zip(many["runs"], durations):
            self.assertEqual(run["over"]["duration-s"], duration_s)
            self.assertAlmostEqual(run["window_s"][1], duration_s)
        self.assertEqual(list(map(statistics_of, one["runs"])),
                         list(map(statistics_of, many["runs"])))

    def test_no_more_workers_than_runs(self):
        self.assertEqual(sweep_json(ENGINE, *SHORT, "--jobs", "7")["workers"], 1)
        self.assertEqual(sweep_json(ENGINE, "--over", "speed-rpm=70,80", *SHORT)["workers"],
                         min(2, os.cpu_count()))

    def test_ranges(self):
        for text, values in [("0.1:0.5:0.1", [0.1, 0.2, 0.3, 0.4, 0.5]), ("0.3:0.1:-0.1",
                             [0.3, 0.2, 0.1]), ("0.2:0.35:0.1", [0.2, 0.3]), ("0:0:1", [0]),
                             ("0.5", [0.5]), ("0.5,0.25", [0.5, 0.25])]:
            with self.subTest(text):
                found = sweep_json(ENGINE, "--over", f"start-phase={text}", "--duration-s", "0.001")
                self.assertEqual([run["over"]["start-phase"] for run in found["runs"]], values)
                self.assertEqual(found["over"], [{"name": "start-phase", "values": values}])


class Failures(InFolder):
    # At 2.4 km/s the chain's own mass is more than its links can hold together.
    OVER = ("--over", "speed-rpm=70,20000,76")

    def test_one_leaves_the_others_be(self):
        for jobs in (1, 3):
            found = sweep_json(ENGINE, *self.OVER, *SHORT, "--jobs", jobs, code=3)
            first, failed, last = found["runs"]
            self.assertEqual(list(failed), ["drive", "over", "failure"])
            self.assertIn("flown apart", failed["failure"])
            self.assertEqual(found["failed"], 1)
            self.assertAlmostEqual(found["simulated_s"], 0.2)
            for run, rpm in ((first, 70), (last, 76)):
                self.assertIsNone(run["failure"])
                self.assertEqual(statistics_of(run), run_alone(ENGINE, "--speed-rpm", rpm, *SHORT))

    def test_they_are_told_by_name_after_the_table(self):
        path = self.folder / "all.csv"
        done = sweep(ENGINE, *self.OVER, *SHORT, "--csv", path, "--plot", self.folder / "all.svg")
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r"^6s90mc-c, speed-rpm=20000: MAN B&W 6S90MC-C: the chain had "
                                      r"flown apart by .*\n$")
        self.assertRegex(done.stdout, r"(?m)^ +20000 +failed$")
        self.assertIn("3 runs, 1 of them failed, by ", done.stdout)
        rows = rows_of(path)
        self.assertEqual([bool(row["failure"]) for row in rows], [False, True, False])
        self.assertEqual(rows[1]["strands[1].mean_N"], "")
        self.assertIn("flown apart", rows[1]["failure"])

    def test_a_drive_without_rest_fails_in_all_its_runs(self):
        found = sweep_json("6l60mc", "--over", "sprocket[2].load_torque_N_m=5e6,0", "--over",
                           "speed-rpm=100,110", *SHORT, code=3)
        texts = [run["failure"] for run in found["runs"]]
        self.assertIn("found no rest", texts[0])
        self.assertEqual(texts, [texts[0], texts[0], None, None])

    def test_many_are_told_shortly(self):
        done = sweep(ENGINE, "--over", "accel-amplitude=2000:2012:1", "--order", "6")
        self.assertEqual(done.returncode, 2)  # as of `taut run`: a crank that turns backwards
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 11)
        self.assertIn("accel-amplitude=2009: the crankshaft turns backwards", lines[9])
        self.assertEqual(lines[10], "3 more have failed; all: --csv, --json")


class Outputs(InFolder):
    ARGUMENTS = ("--over", "speed-rpm=70,80", "--over", "start-phase=0,0.5", "--duration-s", "0.3")

    def test_json(self):
        found = sweep_json(ENGINE, *self.ARGUMENTS, "--jobs", "2")
        self.assertEqual(list(found), ["over", "runs", "failed", "workers", "wall_s", "simulated_s",
                                       "real_time_factor"])
        self.assertEqual(found["over"], [{"name": "speed-rpm", "values": [70, 80]},
                                         {"name": "start-phase", "values": [0, 0.5]}])
        self.assertEqual((found["failed"], found["workers"]), (0, 2))
        self.assertAlmostEqual(found["simulated_s"], 1.2)
        self.assertAlmostEqual(found["real_time_factor"], 1.2 / found["wall_s"])
        alone = json.loads(taut("run", ENGINE, *SHORT, "--json").stdout)
        for run in found["runs"]:
            self.assertEqual(list(run), ["drive", "over", "failure", *alone])

    def test_table(self):
        found = sweep_json(ENGINE, *self.ARGUMENTS)
        text = sweep(ENGINE, *self.ARGUMENTS).stdout
        for part in ["MAN B&W 6S90MC-C", "speed [rpm]  start-phase [pitches]  strand  mean [kN]",
                     "99.9 % [kN]", "arm sd [mrad]", "steady since", "computed: 4 runs by ",
                     "1.2 s of motion, "]:
            self.assertIn(part, text)
        for run in found["runs"]:
            number, strand = max(enumerate(run["strands"], 1), key=lambda item: item[1]["p999_N"])
            cells = [f"{run['over']['speed-rpm']:g}", f"{run['over']['start-phase']:g}", f"{number}",
                     *(f"{strand[key] / 1e3:.2f}" for key in ("mean_N", "sd_N", "p999_N", "max_N")),
                     f"{run['link_max_N'] / 1e3:.2f}", f"{run['contact_max_N'] / 1e3:.2f}",
                     f"{run['tightener']['arm_sd_rad'] * 1e3:.3f}", "not known"]
            self.assertRegex(text, "(?m)^ +" + " +".join(map(re.escape, cells)) + "$")

    def test_small_drives_have_a_table_in_newton(self):
        text = sweep(ENGINE, "no80", "--duration-s", "0.02").stdout
        self.assertEqual(re.findall(r" mean \[(k?N)\]", text), ["kN", "N"])
        self.assertRegex(text, r"(?m)^ +\d .* -  +\S+")  # no arm

    def test_csv_has_all_statistics(self):
        path = self.folder / "all.csv"
        # Two strands beside four, and a drive without a tightener.
        found = sweep_json("no80", ENGINE, *self.ARGUMENTS[2:], "--csv", path)
        rows = rows_of(path)
        self.assertEqual(len(rows), 4)

        def flat(value, name=""):
            if isinstance(value, dict):
                for key, part in value.items():
                    yield from flat(part, f"{name}.{key}" if name else key)
            elif isinstance(value, list):
                for number, part in enumerate(value, 1):
                    yield from flat(part, f"{name}[{number}]")
            else:
                yield name, value

        for row, run in zip(rows, found["runs"]):
            cells = dict(flat({key: run[key] for key in run if key not in
                               ("wall_s", "real_time_factor", "tightener")}))
            for name, value in cells.items():
                as_written = "" if value is None else value
                if isinstance(value, bool):
                    as_written = str(value).lower()
                elif isinstance(value, (int, float)):
                    self.assertEqual(float(row[name]), value)  # every bit of it
                    continue
                self.assertEqual(row[name], as_written)
        self.assertEqual((rows[0]["tightener.arm_sd_rad"], rows[0]["strands[4].mean_N"]), ("", ""))
        self.assertNotEqual(rows[2]["tightener.arm_sd_rad"], "")
        header = next(csv.reader(io.StringIO(path.read_text())))
        self.assertEqual(header[:4], ["drive", "over.start-phase", "failure", "name"])
        self.assertLess(header.index("strands[4].mean_N"), header.index("tagged_link.mean_N"))
        self.assertEqual(len(header), len(set(header)))
        self.assertEqual(list(self.folder.iterdir()), [path])

    def picture(self, *arguments) -> tuple[list, list]:
        """Words of the picture, and its lines as (look, points)."""
        path = self.folder / "curve.svg"
        done = sweep(*arguments, "--plot", path)
        self.assertIn(f"picture: {path}", done.stdout)
        elements = list(xml.etree.ElementTree.parse(path).getroot())
        lines = [(element.get("class"), len(element.get("d").split("L")) - 1)
                 for element in elements if element.tag.endswith("path")]
        return [element.text for element in elements if element.tag.endswith("text")], lines

    def test_picture(self):
        words, lines = self.picture(ENGINE, "--over", "speed-rpm=60:90:10", *SHORT)
        for word in ["MAN B&W 6S90MC-C", "speed [rpm]", "tension at a strand's middle [kN]",
                     "strand 1", "strand 4", "mean", "99.9 % are below", "60", "75", "90", "0"]:
            self.assertIn(word, words)
        self.assertEqual(sorted(lines), sorted((f"{kind} s{strand}", 4) for kind in ("mean", "high")
                                               for strand in range(1, 5)))

    def test_picture_of_a_grid(self):
        words, lines = self.picture(ENGINE, "no80", "--over", "speed-rpm=200,100,300", "--over",
                                    "start-phase=0,0.5", "--duration-s", "0.01")
        titles = [word for word in words if "start-phase" in word]
        self.assertEqual(len(titles), 4)
        self.assertEqual(titles[1], "MAN B&W 6S90MC-C, start-phase = 0.5 pitches")
        self.assertEqual(len(lines), 2 * (2 * 4 + 2 * 2))

    def test_a_failed_run_is_not_drawn(self):
        _, lines = self.picture(ENGINE, "--over", "speed-rpm=70,80,20000", *SHORT)
        self.assertEqual({count for _, count in lines}, {2})

    def test_an_interrupted_sweep_leaves_nothing(self):
        names = ("--csv", self.folder / "all.csv", "--plot", self.folder / "all.svg")
        running = subprocess.Popen([TAUT, "sweep", ENGINE, "--over", "speed-rpm=60:90:1",
                                    "--duration-s", "60", *names])
        self.addCleanup(running.wait)
        self.addCleanup(running.kill)
        for _ in range(200):
            if len(list(self.folder.iterdir())) == 2:
                break
            time.sleep(0.05)
        self.assertEqual(len(list(self.folder.iterdir())), 2)
        running.terminate()
        self.assertEqual(running.wait(timeout=20), -signal.SIGTERM)
        self.assertEqual(list(self.folder.iterdir()), [])


class WrongUse(InFolder):
    def test_over(self):
        for text, *parts in [
                ("speed-rpm=90:60:2", "--over speed-rpm=90:60:2", "steps of 2 do not lead from 90 "
                                                                  "to 60", "a step below 0"),
                ("speed-rpm=60:90:-2", "steps of -2 do not lead from 60 to 90", "a step above 0"),
                ("speed-rpm=60:90:0", "a step of 0"),
                ("speed-rpm=60:90", "write FROM:TO:STEP"),
                ("speed-rpm=60:90:2:3", "write FROM:TO:STEP"),
                ("speed-rpm=60:fast:2", '"fast" is not a number'),
                ("speed-rpm=60:nan:2", '"nan" is not a number'),
                ("speed-rpm=60:90:1e-4", "300001 values; allowed 1 to 100000"),
                ("speed-rpm=60:90:1e-9", "a step of 1e-09 is lost beside such values"),
                ("speed-rpm=60,,70", "a value is missing"),
                ("speed-rpm=", "a value is missing"),
                ("speed-rpm", "write NAME=FROM:TO:STEP or NAME=VALUE"),
                ("=3", "write NAME=FROM:TO:STEP or NAME=VALUE"),
                ("speed-rpm=-5:5:5", "--speed-rpm: -5: allowed 0.01 to 20000 rpm"),
                ("speed-rpm=60,fast", "--speed-rpm: fast: allowed 0.01 to 20000 rpm"),
                ("order=1.5,2", "--order: 1.5: allowed 1 to 1000, whole numbers"),
                ("order=1,2", "order=1: --order requires --accel-amplitude"),
                ("bars=on,none", "--bars", "none", "off"),
                ("speed=60,70", "--over speed: no such option", "did you mean speed-rpm"),
                ("links=144", "--over links: no such option", "chain.links"),
                ("set=1", "--over set: no such option", "known: "),
                ("jobs=1,2", "--over jobs: no such option"),
                ("out=a,b", "--over out: no such option"),
                ("step-us=20,80", "6s90mc-c, step-us=80: --step-us 80", "67.415 us")]:
            with self.subTest(text):
                self.assert_refused(sweep(ENGINE, "--over", text), 2, *parts)

    def test_drive_keys(self):
        for text, *parts in [
                ("chain.link=144", "chain.link = 144: unknown key; did you mean links? allowed 8 to "
                                   "256"),
                ("chains.links=144", "unknown section", "did you mean chain"),
                ("chain.links=144,300", "chain.links=300: ", "above the highest allowed value, 256"),
                ("chain.links=144:145:0.5", "chain.links = 144.5: is not a whole number"),
                ("sprocket[9].teeth=20", "there is no number 9, the file has 4"),
                ("chain.links=100", "chain.links=100: ", "give 144 links")]:
            with self.subTest(text):
                self.assert_refused(sweep(ENGINE, "--over", text), 1, *parts)

    def test_given_twice(self):
        for arguments, where in [
                (["--over", "speed-rpm=70,80", "--speed-rpm", "76"], "by --speed-rpm"),
                (["--over", "speed-rpm=70,80", "--over", "speed-rpm=60"], "by another --over"),
                (["--over", "chain.links=144", "--set", "chain.links=144"],
                 "by --set chain.links=144")]:
            with self.subTest(arguments):
                self.assert_refused(sweep(ENGINE, *arguments), 2, arguments[1].split("=")[0] +
                                    ": is given a second time, " + where)

    def test_too_many_runs(self):
        self.assert_refused(
            sweep(ENGINE, "no80", "--over", "speed-rpm=60:90:0.1", "--over",
                  "start-phase=0:0.999:0.001"), 2,
            "2 drives x 301 of speed-rpm x 1000 of start-phase", "allowed 1 to 100000")

    def test_jobs(self):
        for text in ("0", "-1", "1025", "2.5", "all"):
            with self.subTest(text):
                self.assert_refused(sweep(ENGINE, "--jobs", text), 2,
                                    f"--jobs: {text}: allowed 1 to 1024")
        self.assert_refused(
            sweep(ENGINE, "--over", "speed-rpm=60:90:1", "--duration-s", "1000", "--jobs", "11"), 2,
            "--jobs 11: more samples than memory", "allowed 1 to 10", "--stats-from-s")

    def test_drives(self):
        self.assert_refused(sweep(), 2, "DRIVE")
        self.assert_refused(sweep(ENGINE, "6s90mc"), 1, "6s90mc: ", "did you mean 6s90mc-c")

    def test_one_runs_options_are_not_a_sweeps(self):
        self.assert_refused(sweep(ENGINE, "--out", "x.csv"), 2, "--out")

    def test_pictures(self):
        path = self.folder / "x.svg"
        for arguments, *parts in [
                ([], "nothing is swept", "--over NAME=FROM:TO:STEP"),
                (["--over", "bars=on,off"], '--over bars: "on" is not a number'),
                (["--over", "speed-rpm=70,80", "--over", "start-phase=0:0.9:0.01"],
                 "91 charts; allowed 1 to 24")]:
            with self.subTest(arguments):
                self.assert_refused(sweep(ENGINE, *arguments, "--plot", path), 2, "--plot: ", *parts)
        self.assertEqual(list(self.folder.iterdir()), [])
        self.assert_refused(sweep(ENGINE, "--over", "speed-rpm=70", "--plot", path, "--csv", path),
                            2, f"both write {path}")

    def test_files_that_cannot_be_written_are_found_first(self):
        for option in ("--csv", "--plot"):
            path = self.folder / "nowhere" / "x"
            self.assert_refused(sweep(ENGINE, "--over", "speed-rpm=60:90:1", "--duration-s", "1000",
                                      option, path), 2, f"{path}: cannot be written")

    def test_a_wrong_value_leaves_old_files(self):
        path = self.folder / "all.csv"
        path.write_text("as it was")
        self.assert_refused(sweep(ENGINE, "--over", "speed-rpm=60,-1", "--csv", path), 2)
        self.assertEqual(path.read_text(), "as it was")


class Terminal(unittest.TestCase):
    def test_progress_over_all_runs_on_a_terminal_only(self):
        reader, writer = pty.openpty()
        done = subprocess.run([TAUT, "sweep", ENGINE, "--over", "speed-rpm=60:90:10", "--duration-s",
                               "0.5", "--jobs", "1"], stdout=subprocess.PIPE, stderr=writer, text=True, timeout=100)
        os.close(writer)
        shown = os.read(reader, 65536).decode()
        os.close(reader)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(shown, r"taut sweep: \d\.\d\d of 2 s, \d+ s left; \d of 4 runs done")
        self.assertTrue(shown.endswith("\r\033[K"), repr(shown))
        self.assertNotIn("left", done.stdout)

    def test_help(self):
        text = sweep("--help").stdout
        self.assertIn("Examples:\n  taut sweep 6s90mc-c --over speed-rpm=60:90:2 --order 6", text)
        for option in ("--over NAME=VALUES", "--jobs N", "--csv FILE", "--plot FILE", "--speed-rpm"):
            self.assertRegex(text, rf"(?m)^  {option}")


if __name__ == "__main__":
    unittest.main()
