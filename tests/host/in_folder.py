"""A test with a folder of its own, for commands that write files and for those that refuse."""

import pathlib
import subprocess
import tempfile
import unittest


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text: str, name: str = "table.csv") -> pathlib.Path:
        path = self.folder / name
        path.write_text(text)
        return path

    def assert_refused(self, done: subprocess.CompletedProcess, code: int, *parts: str):
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        for part in parts:
            self.assertIn(part, done.stderr)
