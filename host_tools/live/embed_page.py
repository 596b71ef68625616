#!/usr/bin/env python3
"""Writes files as C++ source: embed_page.py OUTPUT FILE... (see page_file.h)."""

import pathlib
import sys

TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


def main() -> None:
    output, *files = sys.argv[1:]
    lines = ['#include "host_tools/live/page_file.h"', "", "namespace taut::live {", "namespace {",
             ""]
    rows = []
    for number, name in enumerate(files):
        path = pathlib.Path(name)
        data = path.read_bytes()
        lines.append(f"constexpr unsigned char kFile{number}[] = {{")
        for begin in range(0, len(data), 24):
            lines.append("    " + ", ".join(map(str, data[begin:begin + 24])) + ",")
        lines.append("};")
        rows.append(f'    {{"/{path.name}", "{TYPES[path.suffix]}", '
                    f"{{reinterpret_cast<const char*>(kFile{number}), sizeof kFile{number}}}}},")
    lines += ["", "}  // namespace", "", "etl::span<const PageFile> page_files() {",
              "  static const PageFile kFiles[] = {", *rows, "  };", "  return kFiles;", "}", "",
              "}  // namespace taut::live", ""]
    pathlib.Path(output).write_text("\n".join(lines))


if __name__ == "__main__":
    main()
