#!/usr/bin/env python3
"""taut on drive files: what is wrong is named with its line, and nothing is left half-written.

The program to test: environment variable TAUT, else the first argument.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
    os.environ.setdefault("TAUT", sys.argv.pop(1))
TAUT = os.environ.get("TAUT", "build/host/taut")
LIBRARY = pathlib.Path(__file__).resolve().parents[2] / "host_tools/drives"
DRIVES = ["6l60mc", "6s90mc-c", "no40", "no80", "timing"]
GOOD = (LIBRARY / "6s90mc-c.toml").read_text()
WHOLE_FILE = None


def run(*arguments, **environment):
    done = subprocess.run([TAUT, *map(str, arguments)], text=True, capture_output=True,
                          timeout=60, env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


def replaced(old, new):
    """GOOD with one place changed; `old` must be unique, so that nothing is tested by chance."""
    assert GOOD.count(old) == 1, f"{old!r} occurs {GOOD.count(old)} times"
    return GOOD.replace(old, new)


def without_section(title):
    begin = GOOD.index(title)
    end = GOOD.find("\n[", begin)
    return GOOD[:begin] + (GOOD[end + 1:] if end >= 0 else "")


def one_more(title, times=1):
    begin = GOOD.index(title)
    section = GOOD[begin:GOOD.index("\n[", begin) + 1]
    return GOOD + "\n" + "# more\n".join(section for _ in range(times))


# name: (text of the file, line that the message must name, parts of the message).
# The line is given as what stands on it; of several such lines the last one counts.
BAD = {
    # Keys and sections
    "missing key": (replaced("pitch_m = 0.1143 ", "#"), "[chain]",
                    ["chain.pitch_m: is missing", "0.004 to 0.5 m", "add pitch_m"]),
    "missing key of a list": (replaced("teeth = 64", "#"), "[[sprocket]]                     # 1",
                              ["sprocket[1].teeth: is missing", "9 to 200"]),
    "missing choice": (replaced('kind = "arm"', "#"), "[tightener]",
                       ["tightener.kind: is missing", "none, fixed, arm"]),
    "missing section": (without_section("[chain]"), WHOLE_FILE,
                        ["[chain]: section is missing", "links, pitch_m", "taut keys chain"]),
    "missing contact": (without_section("[contact]"), WHOLE_FILE, ["[contact]: section is missing"]),
    "no sprockets": ("".join(part for part in GOOD.partition("[[sprocket]]")[:1]) +
                     '[tightener]\nkind = "none"\n', WHOLE_FILE, ["0 sprockets", "2 to 8"]),
    "unknown key": (replaced("links = 144", "linkz = 144"), "linkz",
                    ["chain.linkz = 144: unknown key", "did you mean links?", "8 to 256"]),
    "swapped letters": (replaced("teeth = 64", "teteh = 64"), "teteh",
                        ["sprocket[1].teteh = 64", "did you mean teeth?"]),
    "key in capitals": (replaced("links = 144", "LINKS = 144"), "LINKS", ["did you mean links?"]),
    "other unit": (replaced("pitch_m = 0.1143 ", "pitch_mm = 114.3 "), "pitch_mm",
                   ["chain.pitch_mm = 114.3", "did you mean pitch_m (m)?",
                    "the value must be given in m;"]),
    "other unit, longer": (replaced("link_stiffness_N_m =", "link_stiffness_kN_mm ="),
                           "link_stiffness_kN_mm",
                           ["did you mean link_stiffness_N_m (N/m)?", "must be given in N/m"]),
    "no unit": (replaced("speed_rpm = 76", "speed = 76"), "speed = 76",
                ["did you mean speed_rpm (rpm)?", "must be given in rpm"]),
    "unit of angle": (replaced("indentation_m = 0.005            # P section 5.8\nstiffness_N_m_n = "
                               "3e6            # P section 5.8: K_g 3 MN", "rotation_deg = 1\n"
                               "stiffness_N_m_n = 3e6"), "rotation_deg",
                      ["guide_bar[1].rotation_deg", "did you mean rotation_rad (rad)?"]),
    "key of another section": (replaced("links = 144", "links = 144\nteeth = 9"), "teeth = 9",
                               ["chain.teeth = 9", "it belongs below [[sprocket]]"]),
    "key of nowhere": (replaced("links = 144", "links = 144\ncolour = 9"), "colour",
                       ["chain.colour = 9: unknown key", "known in [chain]: links, pitch_m"]),
    "unknown section": (replaced("[friction]", "[frictoin]"), "[frictoin]",
                        ["frictoin: unknown section", "did you mean friction?"]),
    "unknown section of nowhere": (GOOD + "\n[paint]\ncolour = 1\n", "[paint]",
                                   ["paint: unknown section", "known: chain, crank"]),
    "key before all sections": ("links = 144\n" + GOOD, "links = 144\n",
                                ["links = 144: unknown key outside of a section",
                                 "it belongs below [chain]"]),
    "a table in a section": (replaced("[crank]", "[chain.plates]\nwidth_m = 1\n[crank]"),
                             "[chain.plates]", ["chain.plates = {...}: unknown key"]),
    "list as a section": (replaced("[tightener]", "[[tightener]]"), "[[tightener]]",
                          ["tightener: occurs once", "write [tightener]"]),
    "section as a list": (GOOD[:GOOD.index("[[sprocket]]")] + "[sprocket]\nteeth = 20\n" +
                          '[tightener]\nkind = "none"\n', "[sprocket]",
                          ["sprocket: is one of a list", "write [[sprocket]]"]),
    "value as a section": ("chain = 4\n" + without_section("[chain]"), "chain = 4",
                           ["chain: is a section, not a value"]),
    # Types
    "text for a number": (replaced("pitch_m = 0.1143 ", 'pitch_m = "0.1143" '), "pitch_m = \"",
                          ['chain.pitch_m = "0.1143": is text, not a number',
                           "0.004 to 0.5 m", "without quotes"]),
    "real for an integer": (replaced("links = 144", "links = 144.5"), "links = 144.5",
                            ["chain.links = 144.5: is not a whole number", "8 to 256"]),
    "list for a number": (replaced("speed_rpm = 76", "speed_rpm = [76, 80]"), "speed_rpm",
                          ["crank.speed_rpm = [...]: is a list, not a number"]),
    "truth for a number": (replaced("speed_rpm = 76", "speed_rpm = true"), "speed_rpm",
                           ["crank.speed_rpm = true: is true or false, not a number"]),
    "date for a number": (replaced("speed_rpm = 76", "speed_rpm = 1979-05-27"), "speed_rpm",
                          ["is a date or a time, not a number"]),
    "number for a name": (replaced('kind = "arm"', "kind = 2"), "kind = 2",
                          ["tightener.kind = 2: is a number, not a name", "none, fixed, arm"]),
    "unknown name": (replaced('rotation = "ccw"', 'rotation = "left"'), "rotation = ",
                     ['crank.rotation = "left": unknown name', "allowed: ccw, cw"]),
    "nearly a name": (replaced('kind = "arm"', 'kind = "fixd"'), "kind =",
                      ["none, fixed, arm", "did you mean fixed?"]),
    "number as the drive's name": (replaced('name = "MAN B&W 6S90MC-C"', "name = 6"), "name = 6",
                                   ["name = 6: is not text"]),
    "long name": (replaced('name = "MAN B&W 6S90MC-C"', f'name = "{"x" * 60}"'), "name = ",
                  ["has 60 letters; allowed 1 to 48"]),
    # Values
    "nan": (replaced("pitch_m = 0.1143 ", "pitch_m = nan "), "pitch_m = nan",
            ["chain.pitch_m = nan: is not a number (nan)", "0.004 to 0.5 m"]),
    "inf": (replaced("mass_kg = 849", "mass_kg = inf"), "mass_kg = inf",
            ["sprocket[3].mass_kg = inf: above the highest", "0 to 1000000 kg"]),
    "-inf": (replaced("y_m_s2 = -9.81", "y_m_s2 = -inf"), "y_m_s2 = -inf",
             ["gravity.y_m_s2 = -inf: below the lowest allowed value, -100 m/s^2"]),
    "too low": (replaced("pitch_m = 0.1143 ", "pitch_m = 0.0001143 "), "pitch_m = 0.0",
                ["chain.pitch_m = 0.0001143: below the lowest allowed value, 0.004 m",
                 "allowed 0.004 to 0.5 m", "check unit and decimal point"]),
    "too high": (replaced("pitch_m = 0.1143 ", "pitch_m = 114.3 "), "pitch_m = 114.3",
                 ["chain.pitch_m = 114.3: above the highest allowed value, 0.5 m"]),
    "negative": (replaced("roller_mass_kg = 13.6", "roller_mass_kg = -13.6"), "= -13.6",
                 ["chain.roller_mass_kg = -13.6: below the lowest"]),
    "huge integer": (replaced("links = 144", "links = 9223372036854775807"), "links = 9",
                     ["chain.links = 9223372036854775807: above the highest"]),
    "too few teeth": (replaced("teeth = 64", "teeth = 5"), "teeth = 5",
                      ["sprocket[1].teeth = 5: below the lowest allowed value, 9"]),
    "too many links": (replaced("links = 144", "links = 300"), "links = 300",
                       ["chain.links = 300: above the highest allowed value, 256"]),
    # How values fit together: sim_core's own words, with our line
    "link count off": (replaced("links = 144", "links = 140"), "links = 140",
                       ["chain.links = 140", "0.3 %", "144 links"]),
    "pitch radius off": (replaced("pitch_radius_m = 1.164715", "pitch_radius_m = 1.17"), "= 1.17 ",
                         ["sprocket[1].pitch_radius_m = 1.17", "1.1647", "64 teeth"]),
    "roller too large": (replaced("roller_radius_m = 0.036195", "roller_radius_m = 0.07239"),
                         "roller_radius_m", ["chain.roller_radius_m = 0.07239", "diameter"]),
    "overlapping sprockets": (replaced("centre_y_m = 3.875", "centre_y_m = 1.0"), "centre_x_m = -1.098",
                              ["sprocket[4].centre_x_m", "overlap", "move a centre"]),
    "no inner tangent": (replaced("centre_y_m = 3.195", "centre_y_m = 1.5"), "centre_x_m = 0.453",
                         ["sprocket[2].centre_x_m", "no inner tangent"]),
    "one centre in another": (replaced("centre_x_m = -1.098", "centre_x_m = 0").replace(
        "centre_y_m = 3.875", "centre_y_m = 0"), "centre_x_m = 0   ", ["no outer tangent"]),
    "wrap too short": (replaced("centre_x_m = -1.098", "centre_x_m = -0.25").replace(
        "centre_y_m = 3.875", "centre_y_m = 2.1"), "# 4: counterweight",
                       ["sprocket[4]", "wraps sprocket 4", "2.5 teeth"]),
    "wrong rotation": (replaced('rotation = "ccw"', 'rotation = "cw"'), "rotation =",
                       ["crank.rotation = cw", "reverse rotation"]),
    "bar off its strand": (replaced("place = 0.3 ", "place = 0.05 "), "place = 0.05",
                           ["guide_bar[2].place = 0.05", "within strand 4"]),
    "bar longer than its strand": (replaced("strand = 1 ", "strand = 2 "),
                                   "flat_length_m = 1.2              # assumed: P does not",
                                   ["guide_bar[1].flat_length_m = 1.2", "strand 2"]),
    "bar on no strand": (replaced("strand = 1 ", "strand = 6 "), "strand = 6",
                         ["guide_bar[1].strand = 6", "1 to 4"]),
    "bar's end too long": (replaced("end_length_m = 0.15              # assumed\nend_radius_m = 1.0 "
                                    "              # assumed\nindentation_m = 0.005            # P "
                                    "section 5.8\nstiffness_N_m_n = 3e6            # P section 5.8: "
                                    "K_g 3 MN", "end_length_m = 0.15\nend_radius_m = 0.1\n"
                                    "stiffness_N_m_n = 3e6"), "end_length_m = 0.15\n",
                           ["guide_bar[1].end_length_m = 0.15", "radius"]),
    "bar of no stiffness": (replaced("stiffness_N_m_n = 3e6            # P section 5.8: K_g 3 MN", "#"),
                            "[[guide_bar]]                    # 1",
                            ["guide_bar[1].stiffness_N_m_n = 0", "100 to 1e13", "lining rubber"]),
    "rubber without data": (replaced("stiffness_N_m_n = 3e6            # P section 5.8: K_g 3 MN",
                                     'lining = "rubber"\nlining_width_m = 0.068\n'
                                     "lining_thickness_m = 0.02"),
                            "[[guide_bar]]                    # 1",
                            ["guide_bar[1].lining_modulus_Pa = 0", "more than 0 Pa"]),
    "rubber pressed through": (replaced("stiffness_N_m_n = 3e6            # P section 5.8: K_g 3 MN",
                                        'lining = "rubber"\nlining_width_m = 0.068\n'
                                        "lining_modulus_Pa = 1e7\nlining_thickness_m = 0.004"),
                               "indentation_m = 0.005            # P section 5.8\nlining",
                               ["guide_bar[1].indentation_m = 0.005", "less than 0.004 m"]),
    "rubber worn through": (replaced("stiffness_N_m_n = 3e6            # P section 5.8: K_g 3 MN",
                                     'lining = "rubber"\nlining_width_m = 0.068\nwear_m = 0.02\n'
                                     "lining_modulus_Pa = 1e7\nlining_thickness_m = 0.02"),
                            "wear_m", ["guide_bar[1].wear_m = 0.02", "0.02 m thick"]),
    "bar in no known condition": (replaced('place = 0.5 ', 'condition = "gone"\nplace = 0.5 '),
                                  "condition", ["guide_bar[1].condition = \"gone\"", "good, missing"]),
    # Wear
    "elongation in per cent": (replaced("links = 144", "elongation = 0.5\nlinks = 144"),
                               "elongation", ["chain.elongation = 0.5", "-0.01 to 0.05"]),
    "chain too worn": (replaced("links = 144", "elongation = 0.01\nlinks = 144"), "elongation",
                       ["chain.elongation = 0.01", "% off", "taut retighten"]),
    "link beyond the chain": (GOOD + "\n[[link]]\nnumber = 145\n", "number = 145",
                              ["link[1].number = 145", "1 to 144"]),
    "link twice": (GOOD + "\n[[link]]\nnumber = 5\n[[link]]\nnumber = 5 # again\n", "number = 5 #",
                   ["link[2].number = 5", "by section 1"]),
    "link without number": (GOOD + "\n[[link]]\nelongation = 0.001\n", "[[link]]",
                            ["link[1].number: is missing", "1 to 256"]),
    "too many links": (GOOD + "".join(f"\n[[link]]\nnumber = {i}\n" for i in range(1, 18)),
                       "[[link]]", ["link[17]: there are 17 [[link]]; allowed 0 to 16"]),
    "dead link": (GOOD + "\n[[link]]\nnumber = 5\nstiffness_factor = 0\n", "stiffness_factor",
                  ["link[1].stiffness_factor = 0", "0.01 to 10"]),
    "damper that drives": (replaced("spring_damping_N_s_m = 800",
                                    "damping_factor = -1\nspring_damping_N_s_m = 800"),
                           "damping_factor", ["tightener.damping_factor = -1", "0 to 10"]),
    "tightener of no sprocket": (replaced("sprocket = 3 ", "sprocket = 7 "), "sprocket = 7",
                                 ["tightener.sprocket = 7", "2 to 4"]),
    "tightener holds the crank": (replaced("sprocket = 3 ", "sprocket = 1 "), "sprocket = 1 ",
                                  ["tightener.sprocket = 1: below the lowest allowed value, 2"]),
    "hinge on the axle": (replaced("pivot_x_m = 0.490", "pivot_x_m = 0.333199").replace(
        "pivot_y_m = 4.680", "pivot_y_m = 4.748179"), "pivot_x_m", ["tightener.pivot_x_m", "hinge"]),
    "spring without length": (replaced("spring_on_ground_y_m = 5.625", "spring_on_ground_y_m = 4.425"),
                              "spring_on_ground_x_m", ["spring_on_ground_x_m", "apart"]),
    "spring far from its length": (replaced("spring_free_length_m = 1.19",
                                            "spring_free_length_m = 0.119"), "= 0.119",
                                   ["tightener.spring_free_length_m = 0.119", "0.6 to 1.8 m"]),
    "arm without mass": (replaced("arm_mass_kg = 300", "arm_mass_kg = 0"), "arm_mass_kg = 0",
                         ["tightener.arm_mass_kg = 0", "more than 0 kg"]),
    "unit without a piston": (replaced('kind = "arm"', 'kind = "hydraulic"').replace(
        "piston_area_m2 = 0.00785", "piston_area_m2 = 0"), "piston_area_m2 = 0",
        ["hydraulic.piston_area_m2 = 0", "more than 0 m^2", "kind arm"]),
    "unit against its spring": (replaced('kind = "arm"', 'kind = "hydraulic"').replace(
        'acts = "pull"', 'acts = "push"'), 'acts = "push"', ["hydraulic.acts = push", "1.19 m", "pulls"]),
    "support of the arm's sprocket": (replaced("mass_kg = 849 ", "support_stiffness_N_m = 1e8\n"
                                               "mass_kg = 849 "), "support_stiffness_N_m = 1e8",
                                      ["sprocket[3].support_stiffness_N_m = 100000000", "kind fixed"]),
    "counterweight without radius": (replaced("inertia_kg_m2 = 776", "counterweight_mass_kg = 50\n"
                                              "inertia_kg_m2 = 776"), "[[sprocket]]                     # 3",
                                     ["sprocket[3].counterweight_radius_m = 0", "both above 0"]),
    "exponent 1.3": (replaced("exponent = 1.5", "exponent = 1.3"), "exponent = 1.3",
                     ["contact.exponent = 1.3", "1 and 1.5"]),
    "circular without clearance": (replaced("circular_clearance_m = 0.0008",
                                            "circular_clearance_m = 0").replace(
        'form = "real"', 'form = "circular"'), "circular_clearance_m = 0",
                                   ["contact.circular_clearance_m = 0", "clearance"]),
    "key in force that is absent": (replaced("circular_clearance_m = 0.0008", "#").replace(
        'form = "real"', 'form = "circular"'), "[contact]",
                                    ["contact.circular_clearance_m = 0", "clearance"]),
    "zero inertia": (replaced("inertia_kg_m2 = 776", "inertia_kg_m2 = 0"), "inertia_kg_m2 = 0",
                     ["sprocket[3].inertia_kg_m2 = 0", "more than 0"]),
    "too many sprockets": (one_more("[[sprocket]]", 5), "# 1: crankshaft",
                           ["sprocket[9]: there are 9 [[sprocket]]; allowed 0 to 8"]),
    "too many guide-bars": (one_more("[[guide_bar]]", 6), "[[guide_bar]]                    # 1",
                            ["guide_bar[9]: there are 9 [[guide_bar]]; allowed 0 to 8"]),
    # TOML
    "no value": (replaced("links = 144", "links ="), "links =", ["not valid TOML"]),
    "open bracket": (replaced("[crank]", "[crank"), "[crank", ["not valid TOML", "mend this place"]),
    "open quote": (replaced('rotation = "ccw"', 'rotation = "ccw'), "rotation =",
                   ["not valid TOML"]),
    "section twice": (GOOD + "\n[chain]\nlinks = 3\n", "[chain]", ["not valid TOML", "chain"]),
    "key twice": (replaced("links = 144", "links = 144\nlinks = 145"), "links = 145",
                  ["not valid TOML", "links"]),
    "decimal comma": (replaced("pitch_m = 0.1143 ", "pitch_m = 0,1143 "), "pitch_m = 0,",
                      ["not valid TOML"]),
    "not UTF-8": (replaced('name = "MAN B&W 6S90MC-C"', 'name = "\udcff\udcfe"'), "name =",
                  ["not valid TOML", "utf-8"]),
    "empty": ("", WHOLE_FILE, ["is empty", "taut keys"]),
    "blank": ("\n \n", WHOLE_FILE, ["is empty"]),
    "comment alone": ("# nothing\n", WHOLE_FILE, ["[chain]: section is missing",
                                                  "[tightener]: section is missing"]),
    "binary": ("\x00\x01\x02\x7fELF", 1, ["not valid TOML"]),
}


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text, name="drive.toml"):
        path = self.folder / name
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        return path

    def assert_says(self, result, code, *parts):
        self.assertEqual(result[0], code, result[2])
        for part in parts:
            self.assertIn(part, result[2])


class BadFiles(InFolder):
    def test_each_names_line_and_remedy(self):
        self.assertGreaterEqual(len(BAD), 40)
        for name, (text, line, parts) in BAD.items():
            with self.subTest(name):
                path = self.write(text)
                if isinstance(line, str):
                    before, found, _ = text.rpartition(line)
                    self.assertTrue(found, line)
                    line = before.count("\n") + 1
                place = f"{path}:{line}:" if line else f"{path}: "
                result = run("check", path, "--svg", self.folder / "no.svg")
                self.assert_says(result, 1, *parts)
                self.assertEqual(result[1], "")
                blocks = [block for block in result[2].splitlines() if parts[0] in block]
                self.assertTrue(any(block.startswith(place) for block in blocks),
                                f"{place} wanted in:\n{result[2]}")
                self.assertEqual([p.name for p in self.folder.iterdir()], ["drive.toml"])

    def test_all_problems_at_once_in_order_of_lines(self):
        text = replaced("links = 144", "linkz = 144").replace("speed_rpm = 76", 'speed_rpm = "x"')
        text = text.replace("teeth = 64", "teeth = 5")
        code, _, errors = run("check", self.write(text))
        self.assertEqual(code, 1)
        lines = errors.splitlines()
        self.assertEqual(len(lines), 3, errors)
        for line, part in zip(lines, ["linkz", "speed_rpm", "teeth"]):
            self.assertIn(part, line)

    def test_key_that_was_meant_is_not_called_missing_too(self):
        result = run("check", self.write(replaced("pitch_m = 0.1143 ", "pitch_mm = 114.3 ")))
        self.assertNotIn("is missing", result[2])

    def test_no_such_file(self):
        path = self.folder / "nowhere.toml"
        self.assert_says(run("check", path), 1, f"{path}: no such file", "taut drives")

    def test_folder(self):
        self.assert_says(run("check", self.folder), 1, "is a folder")

    def test_device(self):
        self.assert_says(run("check", "/dev/null"), 1, "is not a file")

    def test_large_file(self):
        self.assert_says(run("check", self.write("#" * 1_100_000)), 1, "1100000 bytes")

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_unreadable_file(self):
        path = self.write(GOOD)
        path.chmod(0)
        self.assert_says(run("check", path), 1, "cannot be read", "permissions")

    def test_cut_off_anywhere_is_told_not_crashed(self):
        for length in range(0, len(GOOD), 97):
            with self.subTest(length):
                result = run("check", self.write(GOOD[:length]))
                self.assertIn(result[0], (0, 1), result[2])


class GoodDrives(InFolder):
    def test_table(self):
        for drive in DRIVES:
            with self.subTest(drive):
                code, out, errors = run("check", drive)
                self.assertEqual((code, errors), (0, ""))
                for part in ["loop length", "tooth frequency", "wrap deg", "tightener"]:
                    self.assertIn(part, out)

    def test_known_numbers(self):
        # Pedersen tables 5.4, 5.8; section 5.9 for the arm. Tooth frequency: speed x teeth.
        expected = {"6l60mc": [1.8797, 0.4104, 1.2619, 2.2312],
                    "6s90mc-c": [2.71266, 1.0329, 1.6765, 3.98533]}
        for drive, lengths in expected.items():
            data = json.loads(run("check", drive, "--json")[1])
            for strand, length in zip(data["strands"], lengths, strict=True):
                self.assertAlmostEqual(strand["length_m"], length, delta=1e-4)
            self.assertEqual([strand["inner"] for strand in data["strands"]],
                             [True, True, False, False])
        self.assertAlmostEqual(data["tightener"]["arm_m"], 0.170982, delta=1e-6)
        self.assertAlmostEqual(data["tooth_frequency_Hz"], 76 / 60 * 64)
        self.assertAlmostEqual(data["tightener"]["spring_force_N"], -60e3, delta=1)

    def test_supports_and_counterweights(self):
        text = run("check", "6s90mc-c", "--set", "sprocket[2].support_stiffness_N_m=4e8",
                   "--set", "sprocket[4].counterweight_mass_kg=1000",
                   "--set", "sprocket[4].counterweight_radius_m=0.5")[1]
        # By hand: sqrt(4e8 / 3414) / 2 pi; 500 kg m x (152 rpm)^2.
        self.assertIn("support of sprocket 2: 400.00 MN/m, 3414 kg: 54.5 Hz", text)
        self.assertIn("counterweight of sprocket 4: 1000 kg at 0.5 m, 0.0 deg", text)
        self.assertIn("126.68 kN centrifugal force", text)

    def test_hydraulic_tightener(self):
        settings = ["--set", "tightener.kind=hydraulic"]
        data = json.loads(run("check", "6s90mc-c", "--json", *settings)[1])["tightener"]
        # By hand: 1 GPa x (78.5 cm^2)^2 / 0.4 l; 0.4 l x 5e11 / 1 GPa; 2 bar less 0.2 to open.
        self.assertAlmostEqual(data["oil_stiffness_N_m"], 154.06e6, delta=0.01e6)
        self.assertAlmostEqual(data["leak_down_s"], 0.2, delta=1e-9)
        self.assertAlmostEqual(data["rest_pressure_Pa"], 1.8e5, delta=100)
        self.assertAlmostEqual(data["oil_force_N"], data["rest_pressure_Pa"] * 0.00785, places=6)
        self.assertIn("hydraulic unit: pulls", run("check", "6s90mc-c", *settings)[1])

    def test_every_number_carries_its_source(self):
        for drive in DRIVES:
            for number, line in enumerate((LIBRARY / f"{drive}.toml").read_text().splitlines(), 1):
                if "=" in line.split("#")[0] and not line.startswith("name"):
                    self.assertRegex(line, r"#\s*\S", f"{drive}.toml:{number}")

    def test_json_of_every_drive(self):
        for drive in DRIVES:
            with self.subTest(drive):
                data = json.loads(run("check", drive, "--json")[1])
                self.assertLess(abs(data["strain"]), 0.003)
                self.assertEqual(len(data["wraps"]), len(data["drive"]["sprocket"]))
                self.assertAlmostEqual(
                    data["loop_m"],
                    sum(s["length_m"] for s in data["strands"]) + data["drive"]["chain"]["pitch_m"] *
                    sum(w["seated_rollers"] for w in data["wraps"]), places=9)

    def test_drawing_is_well_formed(self):
        for drive in DRIVES:
            with self.subTest(drive):
                path = self.folder / f"{drive}.svg"
                code, out, errors = run("check", drive, "--svg", path)
                self.assertEqual((code, errors), (0, ""))
                self.assertIn(str(path), out)
                root = xml.etree.ElementTree.parse(path).getroot()
                data = json.loads(run("check", drive, "--json")[1])["drive"]
                kinds = [element.get("class", "").split(" ")[0] for element in root.iter()]
                self.assertEqual(kinds.count("sprocket"), len(data["sprocket"]))
                self.assertEqual(kinds.count("roller"), data["chain"]["links"])
                self.assertEqual(kinds.count("link"), data["chain"]["links"])
                self.assertEqual(kinds.count("bar"), len(data.get("guide_bar", [])))
                self.assertEqual(kinds.count("spring"), data["tightener"]["kind"] == "arm")
                self.assertNotIn("nan", path.read_text())
        self.assertEqual(len(list(self.folder.iterdir())), len(DRIVES))

    def test_name_is_escaped_in_the_drawing(self):
        path = self.write(replaced('"MAN B&W 6S90MC-C"', '"a<b>&\'c\'\\u0001 ]]>"'))
        svg = self.folder / "x.svg"
        self.assertEqual(run("check", path, "--svg", svg)[0], 0)
        xml.etree.ElementTree.parse(svg)

    def test_inline_and_dotted_toml_is_the_same(self):
        text = without_section("[crank]")
        path = self.write('crank = { speed_rpm = 76, rotation = "ccw" }\n' + text)
        self.assertEqual(run("check", path, "--json"), run("check", "6s90mc-c", "--json"))

    def test_a_file_without_a_name_is_called_after_itself(self):
        path = self.write(replaced('name = "MAN B&W 6S90MC-C"', ""), "mine.toml")
        self.assertEqual(json.loads(run("check", path, "--json")[1])["name"], "mine")


class Settings(InFolder):
    def test_replace_values(self):
        settings = ["crank.speed_rpm=38", "sprocket[3].inertia_kg_m2=700",
                    "guide_bar[1].indentation_m=0.003", "tightener.kind=fixed",
                    'contact.form="circular"', "name=mine"]
        arguments = [word for setting in settings for word in ("--set", setting)]
        code, out, errors = run("check", *arguments, "6s90mc-c", "--json")
        self.assertEqual((code, errors), (0, ""))
        drive = json.loads(out)["drive"]
        self.assertEqual(drive["crank"]["speed_rpm"], 38)
        self.assertEqual(drive["sprocket"][2]["inertia_kg_m2"], 700)
        self.assertEqual(drive["guide_bar"][0]["indentation_m"], 0.003)
        self.assertEqual(drive["guide_bar"][1]["indentation_m"], 0.005)
        self.assertEqual(drive["tightener"]["kind"], "fixed")
        self.assertEqual(drive["contact"]["form"], "circular")
        self.assertEqual(json.loads(out)["name"], "mine")

    def test_add_to_a_list(self):
        code, out, errors = run("check", "6s90mc-c", "--json", "--set", "link[1].number=7",
                                "--set", "link[1].elongation=0.002", "--set", "link[2].number=9",
                                "--set", "link[2].stiffness_factor=0.3")
        self.assertEqual((code, errors), (0, ""))
        self.assertEqual(json.loads(out)["drive"]["link"],
                         [{"number": 7, "elongation": 0.002, "stiffness_factor": 1},
                          {"number": 9, "elongation": 0, "stiffness_factor": 0.3}])
        self.assert_says(run("check", "6s90mc-c", "--set", "link[1].elongation=0.002"), 1,
                         "--set link[1].elongation=0.002: ", "link[1].number: is missing")

    def test_wear_and_damage_are_told(self):
        path = self.folder / "worn.svg"
        code, out, errors = run(
            "check", "6s90mc-c", "--svg", path, "--set", "chain.elongation=0.0004",
            "--set", "link[1].number=7", "--set", "link[1].stiffness_factor=0.3",
            "--set", "guide_bar[1].condition=missing", "--set", "guide_bar[2].wear_m=0.001",
            "--set", "guide_bar[3].lining=rubber", "--set", "guide_bar[3].lining_width_m=0.068",
            "--set", "guide_bar[3].lining_thickness_m=0.02",
            "--set", "guide_bar[3].lining_modulus_Pa=10e6")
        self.assertEqual((code, errors), (0, ""))
        # 16.4592 m x 1.0004; 2137 MN/m x 0.3; 4/3 x 10e6 x 0.068/0.02 x sqrt(2 x 0.036195)
        for part in ["0.0400 %", "16.4658 m", "641.10", "missing", "4.00", "rubber, 12.20 MN/m^n"]:
            self.assertIn(part, out)
        kinds = [element.get("class", "")
                 for element in xml.etree.ElementTree.parse(path).getroot().iter()]
        for kind, count in [("bar missing", 1), ("bar rubber", 1), ("bar", 1),
                            ("link inner special", 1)]:
            self.assertEqual(kinds.count(kind), count, kind)

    def test_mend_a_file(self):
        path = self.write(replaced("links = 144", "#"))
        self.assertEqual(run("check", path)[0], 1)
        self.assertEqual(run("check", path, "--set", "chain.links=144")[0], 0)
        path = self.write(without_section("[friction]"))
        self.assertEqual(run("check", path, "--set", "friction.coefficient=0.2")[0], 0)

    def test_errors_name_the_option(self):
        for setting, *parts in [
                ("chain.links=140", "chain.links = 140", "144 links"),
                ("chain.link=144", "unknown key", "did you mean links?"),
                ("chian.links=144", "unknown section", "did you mean chain?"),
                ("chain.pitch_mm=114.3", "did you mean pitch_m (m)?", "must be given in m"),
                ("chain.pitch_m=114.3", "above the highest allowed value, 0.5 m"),
                ("chain.pitch_m=wide", "is text, not a number"),
                ("chain.pitch_m=nan", "is not a number"),
                ("chain.links=144.0", "is not a whole number"),
                ("tightener.kind=arn", "none, fixed, arm", "did you mean arm?"),
                ("sprocket[9].teeth=30", "no number 9", "the file has 4", "sprocket[5]"),
                ("sprocket[0].teeth=30", "not of the form KEY=VALUE"),
                ("sprocket[x].teeth=30", "not of the form KEY=VALUE"),
                ("sprocket.teeth=30", "say which: sprocket[1].teeth"),
                ("chain[1].links=144", "occurs once", "chain.links="),
                ("contact.exponent=1.3", "1 and 1.5"),
                ("speed_rpm=3", "unknown key outside", "it belongs below [crank]"),
                ("chain.links", "not of the form KEY=VALUE", "chain.links=146"),
                ("chain.links=", "not of the form KEY=VALUE"),
                (".links=4", "not of the form KEY=VALUE"),
                ("[=4", "unknown key"),
                ("=4", "not of the form KEY=VALUE")]:
            with self.subTest(setting):
                self.assert_says(run("check", "6s90mc-c", "--set", setting), 1,
                                 f"--set {setting}: ", *parts)


class Library(InFolder):
    def test_list(self):
        code, out, errors = run("drives")
        self.assertEqual((code, errors), (0, ""))
        for drive in DRIVES:
            self.assertRegex(out, rf"(?m)^{drive} ")
        self.assertEqual([row["drive"] for row in json.loads(run("drives", "--json")[1])], DRIVES)

    def test_own_folder(self):
        self.write(GOOD, "mine.toml")
        folder = str(self.folder)
        self.assertIn("mine", run("drives", TAUT_DRIVES=folder)[1])
        self.assertEqual(run("check", "mine", TAUT_DRIVES=folder)[0], 0)
        self.assert_says(run("check", "6l60mc", TAUT_DRIVES=folder), 1, "known: mine")
        self.assert_says(run("drives", TAUT_DRIVES=folder + "/nowhere"), 2, "TAUT_DRIVES",
                         "is not a folder")

    def test_one_bad_file_does_not_hide_the_others(self):
        self.write(GOOD, "mine.toml")
        self.write("[chain]\n", "bad.toml")
        code, out, errors = run("drives", TAUT_DRIVES=str(self.folder))
        self.assertEqual(code, 1)
        self.assertIn("mine", out)
        self.assertIn("bad.toml:1: chain.links: is missing", errors)

    def test_nearest_names(self):
        self.assert_says(run("check", "6s90mc"), 1, "did you mean 6s90mc-c or 6l60mc?")
        self.assert_says(run("check", "6L60mc"), 1, "did you mean 6l60mc?")
        self.assert_says(run("check", "No41"), 1, "did you mean no40?")
        self.assert_says(run("check", "bicycle"), 1, "known: 6l60mc, 6s90mc-c, no40, no80, timing")

    def test_keys(self):
        code, out, _ = run("keys")
        self.assertEqual(code, 0)
        for part in ["[chain]", "[[sprocket]]", "pitch_m", "0.004 to 0.5", "none | fixed | arm"]:
            self.assertIn(part, out)
        self.assertNotIn("[chain]", run("keys", "sprocket")[1])
        self.assert_says(run("keys", "sproket"), 2, "did you mean sprocket?")


class CommandLine(InFolder):
    def test_wrong_use(self):
        for arguments in [[], ["check"], ["check", "6l60mc", "--sgv", "x"], ["check", "6l60mc", "x"],
                          ["drives", "x"], ["--verbose"]]:
            with self.subTest(arguments):
                code, out, errors = run(*arguments)
                self.assertEqual((code, out), (2, ""))
                self.assertTrue(errors)
        self.assert_says(run("chekc"), 2, "chekc: no such command; did you mean check?")

    def test_help(self):
        code, out, _ = run("--help")
        self.assertEqual(code, 0)
        self.assertIn("Exit codes:", out)
        for command in ["check", "drives", "keys"]:
            code, out, _ = run(command, "--help")
            self.assertEqual(code, 0)
            self.assertIn("Examples:\n", out)

    def test_unwritable_output(self):
        svg = self.folder / "nowhere" / "x.svg"
        self.assert_says(run("check", "6l60mc", "--svg", svg), 2, f"{svg}: cannot be written",
                         "No such file", "choose another path")
        self.assert_says(run("check", "6l60mc", "--svg", self.folder), 2, "it is a folder")
        self.assert_says(run("check", "6l60mc", "--svg", "/dev/null"), 2, "not an ordinary file")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_output_of_a_failing_run_leaves_the_old_file(self):
        svg = self.write("as it was", "x.svg")
        self.assertEqual(run("check", "6l60mc", "--svg", svg, "--set", "chain.links=9")[0], 1)
        self.assertEqual(svg.read_text(), "as it was")
        self.assertEqual(run("check", "6l60mc", "--svg", svg)[0], 0)
        self.assertIn("<svg", svg.read_text())
        self.assertEqual(len(list(self.folder.iterdir())), 1)

    def test_full_disk(self):
        if not pathlib.Path("/dev/full").exists():
            self.skipTest("no /dev/full here")
        with open("/dev/full", "w") as full:
            done = subprocess.run([TAUT, "check", "6l60mc"], stdout=full, stderr=subprocess.PIPE,
                                  text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("could not be written", done.stderr)


if __name__ == "__main__":
    unittest.main()
