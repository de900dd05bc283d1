#!/usr/bin/env python3
"""Measures this tree and a revision of it in one run, part by part, and prints the ratios.

    Benchmarks/compare.py REVISION [--only PART]... [--runs N]

The revision is checked out and built in .build-compare. Both take turns with each part, so that what the machine does
meanwhile falls on both; of several runs the medians count. Where both are built with the same compiler and flags a
ratio is what the code changed.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
BESIDE = ROOT / ".build-compare"


def main():
    options = parse()
    revision = git("rev-parse", "--verify", f"{options.revision}^{{commit}}").strip()
    tree = check_out(revision)
    binaries = {"before": build(tree, BESIDE / "build"), "now": build(ROOT, ROOT / ".build-release")}
    failures = 0
    print(f"before: {revision[:12]}; now: this tree; medians of {options.runs}\n")
    print(f"{'':<56} {'before':>14} {'now':>14} {'ratio':>7}", flush=True)
    for part in options.only or parts(binaries["now"]):
        found = {name: [] for name in binaries}
        for number in range(options.runs):
            # Who goes first changes, so that neither always finds a warm machine.
            for name in sorted(binaries, reverse=bool(number % 2)):
                found[name].append(measure(binaries[name], part, options.recordings))
        failures += compare(part, found)
    sys.exit(1 if failures else 0)


def parse():
    parser = argparse.ArgumentParser(description="Measures this tree and a revision of it in one run.")
    parser.add_argument("revision")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--recordings", default=str(ROOT.parent / "shared" / "recordings"))
    return parser.parse_args()


def parts(binary):
    """What can be measured, as the benchmark itself says."""
    said = json.loads(subprocess.run([binary, "--experimental-dump-help"], check=True, stdout=subprocess.PIPE).stdout)
    [only] = [one for one in said["command"]["arguments"] if {"kind": "long", "name": "only"} in one["names"]]
    return only["allValues"]


def git(*words):
    return subprocess.run(["git", "-C", str(ROOT), *words], check=True, stdout=subprocess.PIPE, text=True).stdout


def check_out(revision):
    """The revision's tree beside this one; a folder that is kept, so that the next comparison builds less."""
    tree = BESIDE / "tree"
    if not (tree / ".git").exists():
        BESIDE.mkdir(exist_ok=True)
        git("worktree", "prune")
        git("worktree", "add", "--force", "--detach", str(tree), revision)
    subprocess.run(["git", "-C", str(tree), "checkout", "--quiet", "--force", "--detach", revision], check=True)
    return tree


def build(tree, scratch):
    for product in ["bitpal", "bitpal-bench"]:
        subprocess.run(["swift", "build", "--disable-index-store", "-c", "release", "--package-path", str(tree), "--scratch-path", str(scratch),
            "--product", product], check=True, stdout=sys.stderr)
    return scratch / "release" / "bitpal-bench"


def measure(binary, part, recordings):
    """The rows of a part by name; what it said when it failed."""
    output = BESIDE / "rows.json"
    output.unlink(missing_ok=True)
    # Until it could be asked for by itself the memory of a builder was measured with the builder.
    done = subprocess.run([binary, "--only", part, "--output", output, "--recordings", recordings], cwd=ROOT,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if not output.exists():
        return {"error": done.stdout.strip().splitlines()[-1:]}
    return {row["name"]: row for row in json.loads(output.read_text())}


def compare(part, found):
    """Prints the rows of a part; how many have no figure now."""
    failures = 0
    for name in dict.fromkeys(name for rows in found["now"] for name in rows):
        before, now = (values(found[side], name) for side in ("before", "now"))
        if name == "error" or not now:
            print(f"{part:<56} FAILED {[rows.get(name) for rows in found['now']][0]}", flush=True)
            failures += 1
        elif not before:
            print(f"{name:<56.56} {'-':>14} {statistics.median(now):>14.1f}", flush=True)
        else:
            first, second = statistics.median(before), statistics.median(now)
            ratio = f"{second / first:7.2f}" if first else "      -"
            print(f"{name:<56.56} {first:>14.1f} {second:>14.1f} {ratio}", flush=True)
    return failures


def values(runs, name):
    return [rows[name]["value"] for rows in runs if isinstance(rows.get(name), dict) and not rows[name].get("error")]


if __name__ == "__main__":
    main()
