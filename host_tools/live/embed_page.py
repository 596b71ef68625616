#!/usr/bin/env python3
"""Writes files as C++ source: embed_page.py OUTPUT FILE... (see page_file.h)."""

import pathlib
import sys

TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


DELIMITER = "taut_page"


def main() -> None:
    output, *files = sys.argv[1:]
    lines = ['#include "host_tools/live/page_file.h"', "", "namespace taut::live {", "",
             "etl::span<const PageFile> page_files() {", "  static const PageFile kFiles[] = {"]
    for name in files:
        path = pathlib.Path(name)
        text = path.read_text(encoding="utf-8")
        if f'){DELIMITER}"' in text or "\0" in text:
            sys.exit(f"{name}: has {DELIMITER} or a zero byte in it, which would end it in C++")
        lines.append(f'    {{"/{path.name}", "{TYPES[path.suffix]}", R"{DELIMITER}({text}){DELIMITER}"}},')
    lines += ["  };", "  return kFiles;", "}", "", "}  // namespace taut::live", ""]
    source = "\n".join(lines)
    target = pathlib.Path(output)
    if not target.exists() or target.read_text(encoding="utf-8") != source:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(source, encoding="utf-8")


if __name__ == "__main__":
    main()
