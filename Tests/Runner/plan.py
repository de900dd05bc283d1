"""What is run in which order: suites, and the parts of long ones, longest first."""

import collections
import json
import pathlib
import re
from dataclasses import dataclass, field

TIMES = pathlib.Path(__file__).with_name("times.json")
# A suite that took longer is run function by function, so that no lane ends long after the others.
DIVIDED_SECONDS = 20
# Short suites share a process, which costs a quarter of a second to start.
SHARED_SECONDS = 12
# A browser, and a market beside it, keep a core busy: more of them at a time than cores would starve each other.
HEAVY = {"IntegrationTests.PageTests", "IntegrationTests.PageReplayTests"}
# What their tests share takes long to start: as many processes as cores run them, each some of them.
SHARING = {"IntegrationTests.PageTests"}
# What a suite without a time is taken for.
UNKNOWN_SECONDS = 3.0


@dataclass
class Unit:
    """Tests that one process runs."""

    filters: list = field(default_factory=list)
    tests: list = field(default_factory=list)
    seconds: float = 0

    @property
    def is_heavy(self):
        return any(suite(test) in HEAVY for test in self.tests)

    @property
    def name(self):
        suites = sorted({suite(test) for test in self.tests})
        if len(self.tests) == 1:
            return self.tests[0]
        if suites[0] in SHARING:
            return f"{self.tests[0]} +{len(self.tests) - 1}"
        return suites[0] + (f" +{len(suites) - 1}" if suites[1:] else "")


def suite(test):
    """`Target.Suite` of `Target.Suite/function()`; a function outside a suite is its own."""
    return test.split("/", 1)[0]


def target(test):
    return test.split(".", 1)[0]


def read_times():
    """By suite: seconds, whether it starts processes, and the seconds of each function of a long one."""
    return json.loads(TIMES.read_text()) if TIMES.exists() else {}


def write_times(times):
    lines = [f"  {json.dumps(name)}: {json.dumps(times[name])}" for name in sorted(times)]
    TIMES.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def choose(tests, words):
    """The tests of the subjects that are named: a target, with or without `Tests`, a suite, or a function.

    Raises LookupError for a word that names none.
    """
    chosen = []
    for word in words:
        found = [test for test in tests if word in names(test)] or [test for test in tests if word in test]
        if not found:
            raise LookupError(word)
        chosen += found
    return sorted(set(chosen))


def names(test):
    whole = suite(test)
    last = whole.split(".", 1)[-1]
    return {target(test), target(test).removesuffix("Tests"), whole, last, last.removesuffix("Tests"), test}


def units(tests, listed, times, cores):
    """Longest first: whoever is free takes the next, and all lanes end at about the same time.

    Suites of which only some of the listed tests are to run are run function by function.
    """
    whole = collections.Counter(map(suite, listed))
    by_suite = {}
    for test in tests:
        by_suite.setdefault(suite(test), []).append(test)
    alone, short = [], []
    for name, own in sorted(by_suite.items()):
        known = times.get(name, {})
        seconds = known.get("seconds", UNKNOWN_SECONDS)
        by_function = known.get("tests", {})
        functions = [Unit(["^" + re.escape(test)], [test], by_function.get(test.split("/", 1)[-1], UNKNOWN_SECONDS))
            for test in own]
        if name in SHARING:
            alone += together(functions, cores)
        elif len(own) < whole[name] or (seconds > DIVIDED_SECONDS and len(own) > 1):
            alone += functions
        elif seconds > SHARED_SECONDS:
            alone.append(Unit([suite_filter(name)], own, seconds))
        else:
            short.append(Unit([suite_filter(name)], own, seconds))
    # Short suites share a process with others.
    alone += together(short, round(sum(unit.seconds for unit in short) / SHARED_SECONDS))
    return sorted(alone, key=lambda unit: -unit.seconds)


def together(units, count):
    """Units put together into so many, each with about the same time."""
    bins = [Unit() for _ in range(max(1, count))]
    for unit in sorted(units, key=lambda unit: (-unit.seconds, unit.name)):
        least = min(bins, key=lambda one: one.seconds)
        least.filters += unit.filters
        least.tests += unit.tests
        least.seconds += unit.seconds
    return [one for one in bins if one.tests]


def suite_filter(name):
    # A function outside a suite has its parentheses, a suite is followed by its function.
    return "^" + re.escape(name) + ("" if name.endswith(")") else "/")
