#!/usr/bin/env python3
"""pyxcp, a master by others, against the firmware on emulated boards: by UDP to taut bridge, by the
bridge to their serial line. TAUT: the program; BOARDS: MACHINE=IMAGE, with blanks between.

In lock-step a tick begins when its frame has come: the master stimulates, and a tick answers.
"""

import hashlib
import hmac
import os
import pathlib
import re
import struct
import subprocess
import tempfile
import time
import unittest

from pyxcp import types
from pyxcp.transport.transport_ext import FrameAcquisitionPolicy, FrameCategory

from xcp_master import addresses, make_master

TAUT = os.environ["TAUT"]
BOARDS = {machine: image for machine, image in
          (board.split("=") for board in os.environ["BOARDS"].split()) if os.path.exists(image)}
SECRET = b"an emulated board keeps no secre"  # boards/mps2/emulators_secret.h
TEN = ["prediction.tick", "prediction.health", "prediction.crank_speed_rad_s",
       "prediction.tagged_link_N", "prediction.arm_angle_rad", "prediction.tightener_position_m",
       "prediction.tightener_speed_m_s", "sensor.tightener_position_m", "sensor.edges",
       "calibration.elongation"]
TICKS = 300  # the first 200 settle


def key_of(_resource: int, seed: bytes) -> bytes:
    return hmac.new(SECRET, seed, hashlib.sha256).digest()


class Frames(FrameAcquisitionPolicy):
    """Keeps what is measured, packet by packet."""

    def __init__(self):
        super().__init__(None)
        self.measured = []

    def feed(self, category, _counter, _timestamp, payload):
        if category == FrameCategory.DAQ:
            self.measured.append(bytes(payload))

    def finalize(self):
        pass


def setUpModule():
    global FOLDER, FLASH, ADDRESS
    if not BOARDS:
        raise unittest.SkipTest("no board's image is built")
    FOLDER = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(FOLDER.cleanup)
    FLASH = pathlib.Path(FOLDER.name) / "new.flash"
    subprocess.run([TAUT, "flash", "6s90mc-c", "-o", FLASH], check=True, stdout=subprocess.DEVNULL)
    ADDRESS = addresses(TAUT)


class Board:
    """A board with a flash of its own, and a bridge to its second serial line."""

    def __init__(self, test: unittest.TestCase, machine: str, image: str):
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        flash, line = pathlib.Path(folder.name) / "flash", pathlib.Path(folder.name) / "line"
        flash.write_bytes(FLASH.read_bytes())
        emulator = subprocess.Popen(
            ["qemu-system-arm", "-machine", f"{machine},memory-backend=flash", "-kernel", image,
             "-object", f"memory-backend-file,id=flash,size=16M,share=on,mem-path={flash}",
             "-display", "none", "-monitor", "none", "-serial", "null",
             "-chardev", f"socket,id=line,path={line},server=on,wait=off", "-serial", "chardev:line",
             "-semihosting-config", "enable=on,target=native,arg=taut"])
        test.addCleanup(emulator.wait)
        test.addCleanup(emulator.kill)
        while not line.exists():
            test.assertIsNone(emulator.poll(), "the emulator has ended")
            time.sleep(0.01)
        bridge = subprocess.Popen([TAUT, "bridge", f"unix:{line}", "--port", "0"], text=True,
                                  stdout=subprocess.PIPE)
        test.addCleanup(bridge.wait)
        test.addCleanup(bridge.stdout.close)
        test.addCleanup(bridge.kill)
        self.port = int(re.search(r":(\d+) <->", bridge.stdout.readline())[1])


class OnBoards(unittest.TestCase):
    def on_each(self, check):
        for machine, image in BOARDS.items():
            with self.subTest(machine):
                frames = Frames()
                master = make_master(Board(self, machine, image).port, frames, key_of)
                self.addCleanup(master.close)
                master.connect()
                check(master, frames)

    def expect_locked(self, call, *arguments):
        with self.assertRaises(types.XcpResponseError) as context:
            call(*arguments)
        self.assertIn("ERR_ACCESS_LOCKED", str(context.exception))

    def test_connect_and_what_the_board_says(self):
        def check(master, _frames):
            self.assertEqual(master.identifier(0), "taut")
            self.assertEqual((master.slaveProperties.maxCto, master.slaveProperties.maxDto), (64, 248))
            self.assertTrue(master.getStatus().resourceProtectionStatus.stim)
        self.on_each(check)

    def test_ten_signals_at_every_tick(self):
        def check(master, frames):
            master.cond_unlock("stim")
            master.freeDaq()
            master.allocDaq(2)
            for number in (0, 1):
                master.allocOdt(number, 1)
            for number, names in ((0, ["sensor.tightener_position_m"]), (1, TEN)):
                master.allocOdtEntry(number, 0, len(names))
            for number, names in ((0, ["sensor.tightener_position_m"]), (1, TEN)):
                master.setDaqPtr(number, 0, 0)
                for name in names:
                    master.writeDaq(0xFF, 4, 0, ADDRESS[name])
                master.setDaqListMode((0x02, 0x10)[number], number, 0, 1, 0)
                master.startStopDaqList(1, number)
            for tick in range(TICKS):
                packet = struct.pack("<Bf", 0, tick * 1e-5)
                master.transport.send(struct.pack("<HH", len(packet), 0) + packet)
                deadline = time.monotonic() + 60
                while len(frames.measured) <= tick and time.monotonic() < deadline:
                    time.sleep(0.001)
            rows = [struct.unpack("<B3I6fIf", packet) for packet in frames.measured]
            self.assertEqual([row[1:3] for row in rows], [(tick, tick) for tick in range(TICKS)])
            for tick, row in enumerate(rows):
                self.assertAlmostEqual(row[9], tick * 1e-5, places=7)  # what it was told
            master.disconnect()
        self.on_each(check)

    def test_unlock_and_calibrate(self):
        def check(master, _frames):
            address = ADDRESS["calibration.tagged_link"]
            self.expect_locked(master.shortDownload, address, 0, struct.pack("<I", 17))
            master.cond_unlock("calpag")
            master.shortDownload(address, 0, struct.pack("<I", 17))
            self.assertEqual(master.shortUpload(4, address), struct.pack("<I", 17))
            master.disconnect()
        self.on_each(check)

    def test_five_wrong_keys_lock_out(self):
        def check(master, _frames):
            master.seed_n_key_function = lambda resource, seed: bytes(32)
            for _ in range(5):
                master.connect()
                self.expect_locked(master.cond_unlock, "calpag")
            master.connect()
            master.seed_n_key_function = key_of  # too late
            self.expect_locked(master.getSeed, 0, 1)
        self.on_each(check)


if __name__ == "__main__":
    unittest.main()
