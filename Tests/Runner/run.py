#!/usr/bin/env python3
"""Runs the tests that are built, several processes at a time, and tells how it went.

    run.py BINARY [--pure] [--only WORD]... [--lanes N] [--times]

--pure    only suites that start no process and no browser
--only    only a subject: a target, a suite, a function
--lanes   how many at a time
--times   writes times.json anew, by which suites are spread over the lanes and told apart
"""

import argparse
import multiprocessing
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import cluster
import plan
import report
from lane import Lane, short

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Most of what tests do is waiting for each other's processes.
LANES_PER_CORE = 2


def main():
    options = parse()
    begin = time.monotonic()
    environment = dict(os.environ)
    binary = os.path.abspath(options.binary)
    listed = list_tests(binary, environment)
    times = plan.read_times()
    try:
        tests = plan.choose(listed, options.only) if options.only else listed
    except LookupError as error:
        targets = sorted({plan.target(test).removesuffix("Tests") for test in listed})
        sys.exit(f"error: ONLY={error.args[0]}: no target, suite or test has that name; targets: {' '.join(targets)}")
    if options.pure:
        tests = [test for test in tests if not times.get(plan.suite(test), {}).get("processes")]
    if not tests:
        sys.exit("error: no test is left: all that were chosen start processes, which make check leaves out")
    units = plan.units(tests, listed, times, max(1, options.lanes // LANES_PER_CORE))
    count = min(options.lanes, len(units))
    print(f"{len(tests)} tests in {len(units)} processes, {count} at a time", flush=True)
    outcomes = run(units, count, binary, environment, not options.pure)
    results = report.Results(tests, outcomes)
    results.print(time.monotonic() - begin)
    if options.times:
        plan.write_times(report.times(outcomes, {} if not options.only else times))
    sys.exit(0 if results.is_success else 1)


def parse():
    parser = argparse.ArgumentParser(description="Runs the tests that are built.")
    parser.add_argument("binary")
    parser.add_argument("--pure", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--lanes", type=int, default=max(1, LANES_PER_CORE * len(os.sched_getaffinity(0))))
    parser.add_argument("--times", action="store_true")
    return parser.parse_args()


def list_tests(binary, environment):
    listed = subprocess.run([binary, "--testing-library", "swift-testing", "--list-tests"], env=environment,
        check=True, stdout=subprocess.PIPE, text=True).stdout
    # Of two tests with one name the places in the source are listed, too.
    return sorted({short(line) for line in listed.splitlines() if "." in line})


def run(units, count, binary, environment, has_cluster):
    """The outcomes of all units, told as they come."""
    folder = tempfile.mkdtemp(prefix="bitpal-tests-")
    os.chmod(folder, 0o755)
    model = f"{folder}/model"
    try:
        if has_cluster:
            cluster.make(model)
        heavy, light, ended = (multiprocessing.SimpleQueue() for _ in range(3))
        numbered = list(enumerate(units))
        # Every second lane begins with what is heavy; a single one runs all.
        turns = [[heavy, light] if number % LANES_PER_CORE == 0 else [light] for number in range(count)]
        lanes = []
        for number in range(count):
            lane = Lane(number, count, folder, model if has_cluster else None, binary, environment)
            lanes.append(multiprocessing.Process(target=lane.run, args=(turns[number], ended)))
            lanes[-1].start()
        # The pipe holds little: a unit is its number and what it runs.
        feeding = [
            multiprocessing.Process(target=feed, args=(queue, chosen, sum(queue in turn for turn in turns)))
            for queue, chosen in [
                (heavy, [unit for unit in numbered if unit[1].is_heavy]),
                (light, [unit for unit in numbered if not unit[1].is_heavy])]]
        for one in feeding:
            one.start()
        outcomes = []
        while len(outcomes) < len(units):
            while ended.empty():
                if not any(lane.is_alive() for lane in lanes):
                    sys.exit("error: the lanes ended before the tests did")
                time.sleep(0.05)
            outcome = ended.get()
            outcomes.append(outcome)
            report.print_outcome(outcome, len(outcomes), len(units))
            keep(outcome)
        for one in lanes + feeding:
            one.join()
        return outcomes
    finally:
        for lane in multiprocessing.active_children():
            lane.terminate()
            lane.join()
        shutil.rmtree(folder, ignore_errors=True)


def feed(waiting, units, count):
    for unit in units:
        waiting.put(unit)
    for _ in range(count):
        waiting.put(None)


def keep(outcome):
    """What a process printed stays in .build/test-logs."""
    logs = ROOT / ".build" / "test-logs"
    logs.mkdir(parents=True, exist_ok=True)
    name = "".join(letter if letter.isalnum() else "-" for letter in outcome.name)[:100]
    shutil.move(outcome.log, logs / f"{name}.log")
    outcome.log = str(logs / f"{name}.log")


if __name__ == "__main__":
    main()
