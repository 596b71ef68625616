#!/usr/bin/env python3
"""setup.sh on machines that are not as it wishes, played by stand-ins for apt and friends."""

import base64
import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SETUP = pathlib.Path(__file__).resolve().parents[2] / "host_tools/setup/setup.sh"
LIST = "debian cmake 3.25.\ndebian ninja-build 1.\ntrixie somepkg 1.0 {sha256}\n"

# A machine that has everything and may do everything; tests replace single commands.
MACHINE = {
    "dpkg-query": "case $4 in cmake) echo 'ii  3.25.1-1';; *) echo 'ii  1.11.1-2';; esac",
    "id": 'case $1 in -u) echo 1000;; *) echo user;; esac',
    "sudo": "exit 1",
    "apt-get": """
        echo "apt-get $*" >>"$CALLS"
        case "$*" in
            *indextargets*) echo "file:/nowhere/debian/ bookworm Debian";;
            *" download "*) printf contents >somepkg_1.0_all.deb;;
        esac""",
    "dpkg-deb": 'mkdir -p "$3" && touch "$3/unpacked"',
}


class Setup(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.calls = self.folder / "calls"
        self.calls.touch()
        setup_folder = self.folder / "project/host_tools/setup"
        setup_folder.mkdir(parents=True)
        shutil.copy(SETUP, setup_folder)
        shutil.copy(SETUP.with_name("debian_archive.sh"), setup_folder)
        self.script = setup_folder / SETUP.name
        self.deps = self.folder / "project/.deps"
        self.write_list(hashlib.sha256(b"contents").hexdigest())
        (self.folder / "bin").mkdir()
        for name, body in MACHINE.items():
            self.machine_has(name, body)

    def write_list(self, sha256):
        (self.script.parent / "dependencies.txt").write_text(LIST.format(sha256=sha256))

    def machine_has(self, name, body):
        command = self.folder / "bin" / name
        command.write_text(f"#!/bin/sh\n{body}\n")
        command.chmod(0o755)

    def run_setup(self, **environment):
        path = f"{self.folder / 'bin'}:/usr/bin:/bin"
        done = subprocess.run([self.script], cwd=self.folder, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env={"PATH": path, "CALLS": str(self.calls),
                                                             **environment})
        return done.returncode, done.stdout

    def test_everything_there_is_unpacked_once(self):
        code, output = self.run_setup()
        self.assertEqual(code, 0, output)
        self.assertTrue((self.deps / "unpacked").exists())
        self.calls.write_text("")
        self.assertEqual(self.run_setup(), (0, ""))
        self.assertEqual(self.calls.read_text(), "")

    def test_a_changed_list_sets_up_again(self):
        self.run_setup()
        self.calls.write_text("")
        with (self.script.parent / "dependencies.txt").open("a") as f:
            f.write("# changed\n")
        self.assertEqual(self.run_setup()[0], 0)
        self.assertIn(" download somepkg=1.0", self.calls.read_text())

    def test_may_not_install_prints_the_command(self):
        self.machine_has("dpkg-query", "exit 1")
        code, output = self.run_setup()
        self.assertEqual(code, 1)
        self.assertIn("sudo apt-get update && sudo apt-get install -y --no-install-recommends "
                      "cmake ninja-build\n", output)
        self.assertEqual(self.calls.read_text(), "")
        self.assertFalse(self.deps.exists())

    def test_sudo_without_password_installs(self):
        self.machine_has("dpkg-query", f"[ -f {self.folder}/installed ] || exit 1\n"
                         + MACHINE["dpkg-query"])
        self.machine_has("sudo", f'[ "$1" = -n ] && exit 0; touch {self.folder}/installed; exec "$@"')
        code, output = self.run_setup()
        self.assertEqual(code, 0, output)
        self.assertIn("apt-get install -q -y --no-install-recommends cmake ninja-build",
                      self.calls.read_text())

    def test_wrong_version_names_both(self):
        self.machine_has("dpkg-query", "echo 'ii  1:3.18.4-2'")
        code, output = self.run_setup()
        self.assertEqual(code, 1)
        self.assertIn("cmake is version 3.18.4-2 here, 3.25.* is wanted", output)

    def test_wrong_checksum_stops_before_unpacking(self):
        self.write_list("0" * 64)
        code, output = self.run_setup()
        self.assertEqual(code, 1)
        self.assertIn("somepkg_1.0_all.deb has sha256", output)
        self.assertFalse((self.deps / "unpacked").exists())
        self.assertFalse((self.deps / "ready").exists())

    def test_no_debian_12_in_the_apt_lists(self):
        self.machine_has("apt-get", "exit 0")
        code, output = self.run_setup()
        self.assertEqual(code, 1)
        self.assertIn("sudo apt-get update", output)

    def test_a_python_source_that_no_registry_gives_is_a_warning(self):
        with (self.script.parent / "dependencies.txt").open("a") as f:
            f.write(f"python somedist 1.0 {'0' * 64}\n")
        self.machine_has("python3", "exit 1")
        code, output = self.run_setup()
        self.assertEqual(code, 0, output)
        self.assertIn("WARNING: no registry gives somedist 1.0", output)
        self.assertFalse((self.deps / "ready").exists(), "must try again next time")

    def with_npm(self, sha512):
        with (self.script.parent / "dependencies.txt").open("a") as f:
            f.write(f"npm somejs 1.0 {sha512}\n")
        self.machine_has("npm", f"""
            mkdir -p {self.folder}/package && echo 1 >{self.folder}/package/some.js
            tar -czf somejs-1.0.tgz -C {self.folder} package""")

    def test_a_package_of_npm_with_another_checksum_stops(self):
        self.with_npm("none")
        code, output = self.run_setup()
        self.assertEqual(code, 1)
        self.assertIn("somejs-1.0.tgz has sha512", output)
        self.assertFalse((self.deps / "npm/somejs").exists())
        self.assertFalse((self.deps / "ready").exists())

    def test_a_package_of_npm_is_unpacked(self):
        archive = self.folder / "somejs.tgz"
        (self.folder / "package").mkdir()
        (self.folder / "package/some.js").touch()
        subprocess.run(["tar", "-czf", archive, "-C", self.folder, "package"], check=True)
        self.with_npm(base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode())
        self.machine_has("npm", f"cp {archive} somejs-1.0.tgz")
        code, output = self.run_setup()
        self.assertEqual(code, 0, output)
        self.assertTrue((self.deps / "npm/somejs/some.js").exists())

    def test_a_command_that_is_missing_names_its_package(self):
        with (self.script.parent / "dependencies.txt").open("a") as f:
            f.write("command sh dash\ncommand no-such-command some-package\n")
        code, output = self.run_setup()
        self.assertEqual(code, 1)
        self.assertIn("--no-install-recommends some-package\n", output)

    def test_skip(self):
        self.machine_has("dpkg-query", "exit 1")
        self.assertEqual(self.run_setup(TAUT_SETUP="skip"), (0, ""))


if __name__ == "__main__":
    unittest.main()
