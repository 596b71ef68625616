#!/usr/bin/env python3
"""Writes the seeds of the fuzzers: a session of each kind, as a master would send it.

    make_corpus.py FOLDER
"""

import pathlib
import struct
import sys

SEED = bytes([0xF8, 0, 1])
KEY = bytes([0xF7, 32]) + b"k" * 32


def address(row: int, byte: int = 0) -> bytes:
    return struct.pack("<I", row * 256 + byte)


def lists(mode: int, row: int) -> list[bytes]:
    return [bytes([0xD6]), bytes([0xD5, 0, 1, 0]), bytes([0xD4, 0, 0, 0, 1]),
            bytes([0xD3, 0, 0, 0, 0, 1]), bytes([0xE2, 0, 0, 0, 0, 0]),
            bytes([0xE1, 0xFF, 4, 0]) + address(row), bytes([0xE0, mode, 0, 0, 0, 0, 1, 0]),
            bytes([0xDE, 1, 0, 0])]


CONNECT = bytes([0xFF, 0])
SESSIONS = {
    "status": [CONNECT, b"\xFD", b"\xFC", b"\xFB", bytes([0xFA, 0]), bytes([0xF5, 4]), b"\xDA",
               b"\xD9", bytes([0xD7, 0, 0, 0]), b"\xE9", bytes([0xEA, 1, 0]),
               bytes([0xEB, 0x83, 0, 0]), b"\xDC", b"\xFE"],
    "unlock": [CONNECT, SEED, KEY, bytes([0xED, 4, 0, 0]) + address(40) + b"\0\0\0\0",
               bytes([0xF9, 1, 0, 0])],
    "memory": [CONNECT, bytes([0xF4, 4, 0, 0]) + address(21), bytes([0xF6, 0, 0, 0]) + address(38),
               bytes([0xF0, 4, 7, 0, 0, 0])],
    # Last in their structs: one byte more is outside.
    "last_rows": [CONNECT] + [bytes([0xF4, 4, 0, 0]) + address(row) for row in (19, 37, 40)],
    "daq": [CONNECT, *lists(0x10, 21), None, None, bytes([0xDD, 0])],
    "stim": [CONNECT, bytes([0xF8, 0, 8]), KEY, *lists(0x02, 5), struct.pack("<Bf", 0, 1.5), None,
             bytes([0xDE, 2, 0, 0]), bytes([0xDD, 1])],
}


def sxi(packet: bytes, counter: int) -> bytes:
    frame = struct.pack("<HH", len(packet), counter) + packet + b"\0" * (len(packet) % 2)
    words = struct.unpack(f"<{len(frame) // 2}H", frame)
    return frame + struct.pack("<H", sum(words) & 0xFFFF)


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    for kind in ("slave", "sxi", "udp"):
        (folder / kind).mkdir(parents=True, exist_ok=True)
    for name, session in SESSIONS.items():
        packets = [packet for packet in session if packet is not None]
        played = b"".join(b"\xFF" if packet is None else bytes([len(packet)]) + packet
                          for packet in session)
        (folder / "slave" / name).write_bytes(b"\1" + played)
        (folder / "slave" / f"{name}_open").write_bytes(b"\0" + played)
        (folder / "sxi" / name).write_bytes(b"".join(sxi(p, i) for i, p in enumerate(packets)))
        (folder / "udp" / name).write_bytes(
            b"".join(struct.pack("<HH", len(p), i) + p for i, p in enumerate(packets)))


if __name__ == "__main__":
    main()
