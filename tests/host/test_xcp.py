#!/usr/bin/env python3
"""XCP on UDP against pyxcp, a master by others: what INCA or CANape would do, and what none may.

The slave is xcp_server: predictions that follow from their tick, addresses from taut's A2L.
"""

import hashlib
import hmac
import os
import re
import socket
import struct
import subprocess
import tempfile
import time
import unittest

from pyxcp import types

from xcp_master import addresses, make_master, recorder_of

SECRET = bytes(range(100, 132))
CALPAG, STIM = 0x01, 0x08
# Ten signals, and what each is of its tick.
TEN = {"prediction.tick": ("U32", lambda t: t),
       "prediction.health": ("U32", lambda t: t % 4),
       "prediction.crank_speed_rad_s": ("F32", lambda t: t % 100_000),
       "prediction.tagged_link_N": ("F32", lambda t: 2 * (t % 100_000)),
       "prediction.arm_angle_rad": ("F32", lambda t: 3 * (t % 100_000)),
       "prediction.tightener_position_m": ("F32", lambda t: 4 * (t % 100_000)),
       "prediction.strand_mean_N": ("F32", lambda t: 5 * (t % 100_000)),
       "prediction.tightener_speed_m_s": ("F32", lambda t: 0),
       "sensor.tick": ("U32", lambda t: 0),
       "calibration.elongation": ("F32", lambda t: 0.01)}


ADDRESS = addresses(os.environ["TAUT"])


def key_of(_resource: int, seed: bytes) -> bytes:
    return hmac.new(SECRET, seed, hashlib.sha256).digest()


class Xcp(unittest.TestCase):
    """Straight to the slave."""

    def setUp(self):
        self.server = subprocess.Popen([os.environ["XCP_SERVER"], SECRET.hex()], text=True,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.stdout.close)
        self.addCleanup(self.server.stdin.close)
        self.port = int(self.server.stdout.readline().split()[1])

    def master(self, policy=None, key=key_of):
        master = make_master(self.port, policy, key)
        self.addCleanup(master.close)
        return master

    def end(self) -> tuple[str, dict[str, int]]:
        """What the server wrote, and its counters."""
        self.server.stdin.close()
        text = self.server.stdout.read()
        words = " ".join(text.splitlines()[-2:]).split()
        return text, {name: int(value) for name, value in zip(words[::2], words[1::2])}

    def expect_error(self, name, call, *arguments):
        with self.assertRaises(types.XcpResponseError) as context:
            call(*arguments)
        self.assertIn(name, str(context.exception))

    def test_connect_and_what_the_slave_says(self):
        master = self.master()
        answer = master.connect()
        self.assertEqual((answer.maxCto, answer.maxDto), (64, 248))
        self.assertTrue(answer.resource.calpag and answer.resource.daq and answer.resource.stim)
        self.assertEqual(master.slaveProperties.byteOrder, types.ByteOrder.INTEL)
        self.assertEqual(master.identifier(0), "taut")
        status = master.getStatus()
        self.assertTrue(status.resourceProtectionStatus.calpag)
        self.assertTrue(status.resourceProtectionStatus.stim)
        self.assertFalse(status.resourceProtectionStatus.daq)
        info = master.getDaqInfo()
        self.assertEqual(info["channels"][0]["name"], "tick")
        self.assertEqual(info["processor"]["properties"]["configType"], "DYNAMIC")
        self.assertEqual(master.getCalPage(1, 0), 0)
        self.assertEqual(master.getPagProcessorInfo().maxSegments, 1)
        master.synch()
        master.disconnect()

    def test_ten_signals_at_every_tick(self):
        recorder = recorder_of({name: kind for name, (kind, _) in TEN.items()}, ADDRESS)
        master = self.master(recorder)
        master.connect()
        recorder.setup()
        recorder.start()
        time.sleep(1)
        recorder.stop()
        master.disconnect()
        rows = recorder.rows
        self.assertGreater(len(rows), 100)
        names = [name for name, *_ in recorder.daq_lists[0].headers]
        self.assertCountEqual(names, TEN)
        first = rows[0][1][names.index("prediction.tick")]
        for number, (_, payload) in enumerate(rows):
            tick = first + number  # none is missing
            for name, value in zip(names, payload):
                self.assertAlmostEqual(value, TEN[name][1](tick), places=6, msg=f"{name} at {tick}")
        times = [timestamp - rows[0][0] for timestamp, _ in rows]
        self.assertEqual(times, [500_000 * number for number in range(len(rows))])
        _, counters = self.end()
        self.assertEqual(counters["dto_dropped"], 0)

    def test_unlock_and_calibrate(self):
        master = self.master()
        master.connect()
        address = ADDRESS["calibration.elongation"]
        new = struct.pack("<f", 0.02)
        self.expect_error("ERR_ACCESS_LOCKED", master.shortDownload, address, 0, new)
        master.cond_unlock("calpag")
        self.assertTrue(master.getStatus().resourceProtectionStatus.stim)
        master.shortDownload(address, 0, new)
        self.assertEqual(master.shortUpload(4, address), new)
        master.setMta(ADDRESS["calibration.tagged_link"])
        master.download(struct.pack("<I", 17))
        self.assertEqual(master.shortUpload(4, ADDRESS["calibration.tagged_link"]), b"\x11\0\0\0")
        for value in (-0.01, 0.06, float("nan"), float("inf")):
            self.expect_error("ERR_OUT_OF_RANGE", master.shortDownload, address, 0,
                              struct.pack("<f", value))
        self.expect_error("ERR_WRITE_PROTECTED", master.shortDownload,
                          ADDRESS["prediction.health"], 0, b"\0\0\0\0")
        self.expect_error("ERR_ACCESS_DENIED", master.shortUpload, 5, address)
        self.assertEqual(master.shortUpload(4, address), new)
        master.setRequest(1, 0)
        master.disconnect()
        text, counters = self.end()
        self.assertEqual(counters["writes"], 2)
        before, after = (struct.pack("<f", value)[::-1].hex().lstrip("0") for value in (0.01, 0.02))
        self.assertRegex(text, rf"write tick \d+ address {address} before {before} after {after}\n")

    def test_five_wrong_keys_lock_out(self):
        def wrong(resource, seed):
            key = key_of(resource, seed)
            return key[:-1] + bytes([key[-1] ^ 1])
        master = self.master(key=wrong)
        for _ in range(5):
            master.connect()
            self.expect_error("ERR_ACCESS_LOCKED", master.cond_unlock, "calpag")
        master.connect()
        master.seed_n_key_function = key_of  # too late
        self.expect_error("ERR_ACCESS_LOCKED", master.getSeed, 0, CALPAG)
        self.expect_error("ERR_ACCESS_LOCKED", master.getSeed, 0, STIM)

    def test_stimulation_reaches_the_inputs(self):
        master = self.master()
        master.connect()
        address = ADDRESS["sensor.tightener_position_m"]
        master.freeDaq()
        master.allocDaq(1)
        master.allocOdt(0, 1)
        master.allocOdtEntry(0, 0, 1)
        master.setDaqPtr(0, 0, 0)
        master.writeDaq(0xFF, 4, 0, address)
        self.expect_error("ERR_ACCESS_LOCKED", master.setDaqListMode, 0x02, 0, 0, 1, 0)
        master.cond_unlock("stim")
        master.setDaqListMode(0x02, 0, 0, 1, 0)
        pid = master.startStopDaqList(1, 0).firstPid
        packet = struct.pack("<Bf", pid, 0.5)
        master.transport.send(struct.pack("<HH", len(packet), 0) + packet)
        for _ in range(100):
            value = master.shortUpload(4, address)
            if value != b"\0\0\0\0":
                break
        self.assertEqual(value, struct.pack("<f", 0.5))
        master.disconnect()

    def test_a_flood_is_bounded_and_all_of_it_accounted_for(self):
        status = b"\x01\0\0\0\xFD"
        sent = 20_000
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as flood:
            flood.connect(("127.0.0.1", self.port))
            for _ in range(sent):
                flood.send(status)
            time.sleep(2)  # what waits in the kernel is read, 4 a tick
            flood.send(status)  # brings the count of what the kernel lost
            time.sleep(0.2)
        _, counters = self.end()
        arrived = sum(counters[name] for name in ("received", "dropped", "strangers", "malformed"))
        self.assertEqual(arrived + counters["lost_in_kernel"], sent + 1)
        self.assertLessEqual(counters["most_in_a_tick"], 4)

    def test_strangers_are_not_heard(self):
        master = self.master()
        master.connect()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
            stranger.settimeout(0.2)
            stranger.connect(("127.0.0.1", self.port))
            for _ in range(3):
                stranger.send(b"\x01\0\0\0\xFE")  # disconnect
            with self.assertRaises(socket.timeout):
                stranger.recv(100)
        master.getStatus()
        _, counters = self.end()
        self.assertEqual(counters["strangers"], 3)


class Bridged(Xcp):
    """Through taut bridge and a serial line."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "line")
        with socket.socket(socket.AF_UNIX) as line:
            line.bind(path)
            line.listen()
            self.bridge = subprocess.Popen([os.environ["TAUT"], "bridge", f"unix:{path}", "--port", "0"],
                                           text=True, stdout=subprocess.PIPE)
            end, _ = line.accept()
        self.addCleanup(self.bridge.wait)
        self.addCleanup(self.bridge.stdout.close)
        with end:
            self.server = subprocess.Popen(
                [os.environ["XCP_SERVER"], SECRET.hex(), str(end.fileno())], text=True,
                pass_fds=[end.fileno()], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.stdout.close)
        self.addCleanup(self.server.stdin.close)
        self.server.stdout.readline()
        self.port = int(re.search(r":(\d+) <->", self.bridge.stdout.readline())[1])

    def test_a_flood_is_bounded_and_all_of_it_accounted_for(self):
        self.skipTest("the bridge counts, not the slave")

    def test_strangers_are_not_heard(self):
        self.skipTest("the bridge counts, not the slave")


if __name__ == "__main__":
    unittest.main()
