#!/usr/bin/env python3
"""Writes inputs of fuzz-venues made of recordings: scripts/fuzz-recordings.py RECORDINGS FOLDER

Each recording gives a few files, each the name of its venue and then its messages, as VenueInput reads them. They are
data under licences of their own: the folder is none of the project's.
"""

import gzip
import json
import pathlib
import sys

# Lists of everything that is traded are long, and the same each time.
LONGEST_LINE = 1 << 16
LINES = 150
FILES = 4


def line_of(entry):
    """An entry as a line of an input; None for one that is no input."""
    data = entry.get("data", "").replace("\n", " ").replace("\r", " ")
    if entry["dir"] == "open":
        return ">" + entry.get("url", "")
    if entry["dir"] != "in" or not data or len(data) > LONGEST_LINE:
        return None
    return f"@{entry['url']} {data}" if "url" in entry and entry["kind"] == "http" else data


def write(path, folder):
    """Writes the inputs of one recording; returns how many."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        header = json.loads(next(file))
        lines = []
        while len(lines) < LINES * FILES and (text := file.readline()):
            line = line_of(json.loads(text))
            if line is not None:
                lines.append(line)
    # Kraken's first interface speaks in lists.
    is_old = header["venue"] == "kraken" and any(line.startswith("[") for line in lines)
    name = "/" + header["venue"] + (" v1" if is_old else "")
    parts = [lines[start : start + LINES] for start in range(0, len(lines), LINES)]
    for number, part in enumerate(parts):
        target = folder / f"{path.name.removesuffix('.jsonl.gz')}-{number}"
        target.write_text("\n".join([name, *part]), encoding="utf-8")
    return len(parts)


def main():
    """Writes the inputs of every recording."""
    recordings, folder = map(pathlib.Path, sys.argv[1:3])
    folder.mkdir(parents=True, exist_ok=True)
    count = sum(write(path, folder) for path in sorted(recordings.glob("*.jsonl.gz")))
    print(f"{count} inputs of recordings in {folder}")


if __name__ == "__main__":
    main()
