"""pyxcp, a master by others, against slaves of taut on this machine."""

import logging
import re
import subprocess

from pyxcp.config import create_application_from_config, set_application
from pyxcp.daq_stim import DaqList, DaqOnlinePolicy
from pyxcp.master import Master


def addresses(taut: str) -> dict[str, int]:
    a2l = subprocess.run([taut, "a2l"], check=True, capture_output=True, text=True).stdout
    found = re.findall(r"/begin MEASUREMENT (\S+).*?ECU_ADDRESS (0x\w+)", a2l, re.S)
    found += re.findall(r"/begin CHARACTERISTIC (\S+).*?VALUE (0x\w+)", a2l, re.S)
    return {name: int(address, 16) for name, address in found}


class Recorder(DaqOnlinePolicy):
    """Keeps a time in ns and the values of each tick."""

    def initialize(self):
        self.rows = []

    def on_daq_list(self, daq_list, timestamp0, timestamp1, payload):
        self.rows.append((timestamp1, payload))

    def finalize(self):
        pass


def recorder_of(types: dict[str, str], address: dict[str, int]) -> Recorder:
    """Of these signals at every tick."""
    measurements = [(name, address[name], 0, kind) for name, kind in types.items()]
    return Recorder([DaqList(name="signals", event_num=0, stim=False, enable_timestamps=True,
                             measurements=measurements, priority=0, prescaler=1)])


def make_master(port: int, policy=None, key=None) -> Master:
    application = create_application_from_config(
        {"Transport": {"Eth": {"host": "127.0.0.1", "port": port, "protocol": "UDP"}}},
        log_level=logging.CRITICAL)
    application.transport.layer = "ETH"
    application.general.seed_n_key_function = key
    application.general.disable_error_handling = True  # errors are to be seen, not mended
    set_application(application)
    master = Master("eth", config=application, policy=policy)
    master.seed_n_key_function = key
    master.transport.connect()
    return master
