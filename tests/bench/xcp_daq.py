#!/usr/bin/env python3
"""Ten signals at every tick, 2000 a second, by XCP on UDP: is any lost? xcp_daq.py TAUT [SECONDS]

taut rt with every roller is the slave, pyxcp the master; PYTHONPATH must have it. Fails where a
packet is lost on its way; ticks that did not run are told, and are the machine's affair.
"""

import json
import pathlib
import re
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "host"))
from xcp_master import addresses, make_master, recorder_of  # noqa: E402

TEN = {"prediction.tick": "U32", "prediction.health": "U32", "prediction.crank_speed_rad_s": "F32",
       "prediction.tagged_link_N": "F32", "prediction.arm_angle_rad": "F32",
       "prediction.tightener_position_m": "F32", "prediction.tightener_speed_m_s": "F32",
       "sensor.tick": "U32", "sensor.link_force_N": "F32", "calibration.elongation": "F32"}


def widen(receiver: socket.socket) -> None:
    """A master in Python is held up for longer than the usual buffer lasts, 0.14 s at this rate."""
    four_seconds = 8 * 1024 * 1024
    so_rcvbufforce = 33  # Linux; beyond the system's limit, for root only
    try:
        receiver.setsockopt(socket.SOL_SOCKET, so_rcvbufforce, four_seconds)
    except PermissionError:
        receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, four_seconds)


def main() -> int:
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: xcp_daq.py TAUT [SECONDS], the path of that program")
    taut = sys.argv[1]
    duration_s = float(sys.argv[2]) if len(sys.argv) == 3 else 60.0
    around_s = 10  # before and after it
    slave = subprocess.Popen([taut, "rt", "6s90mc-c", "--best-effort", "--xcp-port", "0", "--json",
                              "--duration-s", str(duration_s + around_s)], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    port = int(re.search(r"XCP listens at \S+:(\d+)", slave.stderr.readline())[1])
    recorder = recorder_of(TEN, addresses(taut))
    master = make_master(port, recorder)
    widen(master.transport.sock)
    time.sleep(2)  # it begins to tick
    master.connect()
    recorder.setup()
    recorder.start()
    time.sleep(duration_s)
    recorder.stop()
    master.disconnect()
    master.close()
    report = json.loads(slave.communicate()[0])
    rows, xcp = recorder.rows, report["xcp"]
    names = [name for name, *_ in recorder.daq_lists[0].headers]
    ticks = [payload[names.index("prediction.tick")] for _, payload in rows]
    not_run = ticks[-1] - ticks[0] + 1 - len(ticks)
    # Every command is answered, and every tick sends one packet.
    lost = xcp["sent"] - xcp["handled"] - len(rows)
    print(f"{len(names)} signals of {len(rows)} ticks in {duration_s:g} s; packets lost on their way "
          f"{lost}, not sent {xcp['not_sent']}; between the first and the last tick {not_run} are "
          f"missing, of {report['skipped']} that did not run "
          f"({'SCHED_FIFO' if report['has_rights'] else 'without real-time rights'})")
    if lost != 0 or xcp["not_sent"] != 0 or not_run > report["skipped"]:
        print("FAILED: something was lost")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
