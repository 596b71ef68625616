#!/usr/bin/env python3
"""check_layers sees a forbidden include, and says where and what is allowed."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import check_layers


class Layers(unittest.TestCase):
    def problems(self, path: str, text: str) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / path
            file.parent.mkdir(parents=True)
            file.write_text(text)
            return check_layers.check(pathlib.Path(folder), path)

    def test_forbidden_includes(self):
        for path, include in [("sim_core/math/sin.h", "hal/console.h"),
                              ("sim_core/math/sin.h", "sim_core/dsp/dsp.h"),
                              ("hal/console.h", "boards/mps2/board.h"),
                              ("firmware/app.h", "boards/mps2/board.h"),
                              ("boards/mps2/board.cpp", "tests/support/unity_config.h")]:
            with self.subTest(path=path):
                found = self.problems(path, f'// first line\n#include "{include}"\n')
                self.assertEqual(len(found), 1)
                self.assertIn(f"{path}:2: ", found[0])
                self.assertIn(include, found[0])

    def test_allowed_includes(self):
        text = '#include "sim_core/math/exp.h"\n#include <etl/array.h>\n#include "unity.h"\n'
        for path in ("sim_core/math/sin.h", "sim_core/roller_chain/step.h", "firmware/app.h",
                     "tests/unit/math/test_sin.cpp"):
            self.assertEqual(self.problems(path, text), [])

    def test_a_folder_that_is_no_room(self):
        self.assertIn("lies in no room", self.problems("attic/old.h", "")[0])


if __name__ == "__main__":
    unittest.main()
