#!/usr/bin/env python3
"""Turns comparisons in what decides about a book or a trade around, one at a time, and tells which no test notices.

    scripts/mutate.py [--list] [--only WORD]... [--minutes N]

--list     only prints the mutants
--only     only mutants whose file, function or line contains a word
--minutes  how long the tests may take with one before it counts as noticed: a mutant may loop for ever

Everything happens in .build-mutate, on a copy of the files that git knows; the working tree is only read. A mutant
that changes nothing that anybody could see is in EQUIVALENT, with the reason. Ends with 1 when another one survives, or
when one in that list does not exist any more.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BESIDE = ROOT / ".build-mutate"
TREE, SCRATCH = BESIDE / "tree", BESIDE / "build"
BINARY = SCRATCH / "debug" / "bitpalPackageTests.xctest"
TARGET = "VenuesTests"

VENUES = "Sources/Adapters/Venues"
# By file the functions that decide; of a name that several have, all are meant.
DECISIONS = {
    f"{VENUES}/Binance/BinanceDiff.swift": ["isComplete", "readLevels", "continuity"],
    f"{VENUES}/Binance/BinanceSession+Image.swift": ["takeSnapshot"],
    f"{VENUES}/BitMEX/BitMEXSession+Book.swift": ["apply", "applyPartial"],
    f"{VENUES}/Kraken/KrakenSession+Book.swift": ["append", "truncate", "isRight", "readV1Book"],
    f"{VENUES}/Kraken/KrakenChecksum.swift": ["note", "value"],
    f"{VENUES}/BookTracker.swift": ["publishDelta"],
    f"{VENUES}/VenueOutput.swift": ["accepts"],
}
FLIPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
# Between spaces: neither the brackets of generics nor arrows are meant.
COMPARISON = re.compile(r"(?<= )(<=|>=|==|!=|<|>)(?= )")

# (function, the line's text, which comparison of the line): why nobody can tell.
EQUIVALENT = {
    ("continuity", "if header.previousLastUpdateID == last, !isFirst || header.lastUpdateID >= last {", 2):
        "an event that ends at the snapshot and is not past it begins at or before it, which is taken below",
    ("continuity", "return isFirst && header.firstUpdateID <= last + 1 ? .next : .gap", 1):
        "the case of equality has returned in the line above",
    ("truncate", "guard depth > 0 else { return }", 1):
        "a book that is followed has a depth: its snapshot gave it one",
    ("truncate", "if core.trackers[offset].book.bidCount > depth "
        "{ dropDeepest(.bid, offset, depth, into: &output) }", 1):
        "of exactly so many levels none lies behind the depth",
    ("truncate", "if core.trackers[offset].book.askCount > depth "
        "{ dropDeepest(.ask, offset, depth, into: &output) }", 1):
        "of exactly so many levels none lies behind the depth",
    ("value", "lastAsk = askCount < KrakenChecksum.depth ? .max : rows[askCount &- 1].price", 1):
        "with ten rows each change counts as one of the ten: the same sum, worked out more often",
    ("value", "lastBid = rows.count &- askCount < KrakenChecksum.depth ? .min : rows[rows.count &- 1].price", 1):
        "with ten rows each change counts as one of the ten: the same sum, worked out more often",
}


class Mutant:
    """One comparison of one line."""

    def __init__(self, path, function, line, text, match, place):
        self.path, self.function, self.line, self.place = path, function, line, place
        self.text = text.strip()
        self.old, self.new = match.group(), FLIPS[match.group()]
        self.span = match.span()

    @property
    def key(self):
        return (self.function, self.text, self.place)

    def __str__(self):
        name = f"{pathlib.Path(self.path).name}:{self.line} {self.function}"
        return f"{name:<52} {self.old:>2} -> {self.new:<2} ({self.place}) {self.text}"

    def apply(self):
        """The whole file with this one turned around."""
        lines = (ROOT / self.path).read_text().splitlines(keepends=True)
        line = lines[self.line - 1]
        lines[self.line - 1] = line[: self.span[0]] + self.new + line[self.span[1] :]
        return "".join(lines)


def main():
    options = parse()
    mutants = [mutant for mutant in find() if chosen(mutant, options.only)]
    unknown = [key for key in EQUIVALENT if key not in {mutant.key for mutant in find()}]
    for function, text, place in unknown:
        print(f"error: of those that nobody can tell this is none: {function}, comparison {place} of: {text}")
    if options.list:
        for mutant in mutants:
            print(mutant, f"[{EQUIVALENT[mutant.key]}]" if mutant.key in EQUIVALENT else "")
        print(f"{len(mutants)} mutants")
        sys.exit(1 if unknown else 0)
    copy()
    if not build() or test(options.minutes) != "survived":
        sys.exit("error: the tests fail without any change: there is nothing to compare with")
    survivors = [mutant for mutant in mutants if not is_noticed(mutant, options.minutes)]
    print(f"{len(mutants)} mutants, {len(survivors)} survive")
    sys.exit(1 if survivors or unknown else 0)


def parse():
    parser = argparse.ArgumentParser(description="Tells which turned comparisons no test notices.")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--minutes", type=float, default=15)
    return parser.parse_args()


def chosen(mutant, words):
    return not words or any(word in f"{mutant.path} {mutant.function} {mutant.text}" for word in words)


def find():
    """All mutants, in the order of files and lines."""
    mutants = []
    for path, functions in DECISIONS.items():
        lines = (ROOT / path).read_text().splitlines()
        for function in functions:
            bodies = list(bodies_of(function, lines))
            if not bodies:
                sys.exit(f"error: {path} has no function {function}")
            for first, last in bodies:
                for number in range(first, last + 1):
                    code = without_comments_and_literals(lines[number - 1])
                    for place, match in enumerate(COMPARISON.finditer(code), 1):
                        mutants.append(Mutant(path, function, number, lines[number - 1], match, place))
    return mutants


def bodies_of(function, lines):
    """The first and the last line of each function of a name."""
    opening = re.compile(rf"\bfunc {re.escape(function)}[(<]")
    for start, line in enumerate(lines):
        if not opening.search(without_comments_and_literals(line)):
            continue
        depth, begun = 0, False
        for number in range(start, len(lines)):
            code = without_comments_and_literals(lines[number])
            depth += code.count("{") - code.count("}")
            begun = begun or "{" in code
            if begun and depth == 0:
                yield start + 1, number + 1
                break


def without_comments_and_literals(line):
    """The line in the same columns, where what is no code is blank."""
    line = re.sub(r'"(\\.|[^"\\])*"', lambda match: '"' + "_" * (len(match.group()) - 2) + '"', line)
    at = line.find("//")
    return line if at < 0 else line[:at] + " " * (len(line) - at)


def copy():
    """Brings the files that git knows up to date beside the tree, so that what did not change is not compiled anew."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
        check=True, stdout=subprocess.PIPE).stdout.decode().split("\0")
    wanted = {name for name in listed if name and (ROOT / name).is_file()}
    for path in [path for path in TREE.rglob("*") if path.is_file()]:
        name = path.relative_to(TREE)
        if str(name) not in wanted and name.parts[0] not in (".build", ".git") and str(name) != "Package.resolved":
            path.unlink()
    # Not git's, and what others build with.
    wanted |= {"Package.resolved"} if (ROOT / "Package.resolved").is_file() else set()
    for name in sorted(wanted):
        write(TREE / name, (ROOT / name).read_bytes())
        shutil.copymode(ROOT / name, TREE / name)


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != data:
        path.write_bytes(data)


def build():
    environment = {**os.environ, "TEST_TARGETS": TARGET}
    with open(BESIDE / "build.log", "wb") as log:
        return subprocess.run(["scripts/build.sh", "--scratch-path", str(SCRATCH), "--product", "bitpalPackageTests"],
            cwd=TREE, env=environment, stdout=log, stderr=subprocess.STDOUT).returncode == 0


def test(minutes):
    """"survived" when all tests pass, else how it was noticed."""
    environment = dict(os.environ)
    environment.setdefault("BITPAL_RECORDINGS", str(ROOT.parent / "shared" / "recordings"))
    # A mutant that traps ends at once, without a look for where.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    with open(BESIDE / "test.log", "wb") as log:
        process = subprocess.Popen([str(BINARY), "--testing-library", "swift-testing"], env=environment,
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        try:
            status = process.wait(minutes * 60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return "does not end"
    return "survived" if status == 0 else "fails" if status > 0 else "traps"


def is_noticed(mutant, minutes):
    """Whether a mutant is noticed, or nobody could; prints a line."""
    path = TREE / mutant.path
    original = path.read_bytes()
    begin = time.monotonic()
    try:
        write(path, mutant.apply().encode())
        outcome = test(minutes) if build() else "does not compile"
    finally:
        write(path, original)
    is_equivalent = mutant.key in EQUIVALENT
    if outcome == "survived" and is_equivalent:
        outcome = f"nobody can tell: {EQUIVALENT[mutant.key]}"
    elif outcome == "survived":
        outcome = "SURVIVES"
    print(f"{mutant}\n    {outcome} ({time.monotonic() - begin:.0f} s)", flush=True)
    return outcome != "SURVIVES"


if __name__ == "__main__":
    main()
