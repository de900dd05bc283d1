"""What is told of a run: each process as it ends, the slowest suites, what failed, the sum."""

import collections

import plan

SLOWEST = 25
TEXT_LIMIT = 6000
# Of what a process printed beside its failures: what it waited for, and its last lines.
TAIL_LIMIT = 2500
# Of what went wrong, beside a test's name.
NAMED_LIMIT = 400


def print_outcome(outcome, number, count):
    """A line for a process that ended, and what went wrong in it."""
    state = "passed" if not outcome.failed and not outcome.status else "FAILED"
    print(f"[{number}/{count}] {state} {outcome.name}: {len(outcome.ended)} tests, {outcome.seconds:.1f} s", flush=True)
    for repetition in outcome.repeated:
        print(f"    repeated: {repetition}", flush=True)
    if state == "FAILED":
        print_failures(outcome)


def print_failures(outcome):
    for test, text in outcome.failed.items():
        print(f"  ✘ {test}\n{indent(text[-TEXT_LIMIT:])}", flush=True)
    with open(outcome.log, errors="replace") as file:
        printed = file.read()
    # What a wait lacked stands in the log alone, which is gone with the machine that ran the tests.
    limit = TAIL_LIMIT if outcome.failed else TEXT_LIMIT
    print(indent(f"status {outcome.status}, the end of what it printed:\n{printed[-limit:]}"), flush=True)


def indent(text):
    return "\n".join("      " + line for line in text.rstrip().splitlines())


class Results:
    """All outcomes together."""

    def __init__(self, tests, outcomes):
        self.outcomes = outcomes
        self.failed = {name for one in outcomes for name in one.failed}
        self.skipped = {name: text for one in outcomes for name, text in one.skipped.items()}
        self.ended = {name for one in outcomes for name in one.ended}
        told = self.ended | self.failed | set(self.skipped)
        suites = tuple(name for name in self.skipped if name.endswith("/"))
        self.missing = [test for test in tests if test not in told and not test.startswith(suites or ("/",))]
        self.crashed = [one for one in outcomes if one.status and not one.failed]
        self.repeated = sum(len(one.repeated) for one in outcomes)

    @property
    def is_success(self):
        return not (self.failed or self.missing or self.crashed) and bool(self.ended)

    def print(self, seconds):
        self.print_slowest()
        self.print_skipped()
        if not self.is_success:
            print("\nWhat failed:")
            for one in self.outcomes:
                if one.failed or one.status:
                    print(f"{one.name} ({one.log})")
                    print_failures(one)
            for test in self.missing:
                print(f"  ✘ {test}\n      was not run")
            print("\nWhat failed, by name:")
            texts = {test: text for one in self.outcomes for test, text in one.failed.items()}
            for name in sorted(self.failed | set(self.missing) | {one.name for one in self.crashed}):
                # Where only the end of a log is kept, a name alone does not say what went wrong.
                print(f"  ✘ {name}: {' '.join(texts.get(name, '').split())[:NAMED_LIMIT]}".rstrip(": "))
        suites = {plan.suite(test) for test in self.ended}
        print(f"\n{len(self.ended)} tests in {len(suites)} suites in {seconds:.0f} s; {len(self.skipped)} skipped, "
            f"{self.repeated} repetitions")
        failed = len(self.failed) + len(self.missing) + len(self.crashed)
        print(f"{len(self.ended - self.failed)} passed, {failed} failed, {len(self.skipped)} skipped", flush=True)

    def print_slowest(self):
        spent = collections.defaultdict(lambda: [0.0, 0.0])
        for one in self.outcomes:
            for name, (wall, processor, _) in one.suites.items():
                spent[name][0] += wall
                spent[name][1] += processor
        print(f"\nThe slowest suites of {len(spent)}:\n{'wall s':>8} {'cpu s':>8}  suite")
        for name, (wall, processor) in sorted(spent.items(), key=lambda item: -item[1][0])[:SLOWEST]:
            print(f"{wall:8.1f} {processor:8.1f}  {name}")
        total = [sum(column) for column in zip(*spent.values())] or [0, 0]
        print(f"{total[0]:8.1f} {total[1]:8.1f}  all, one after the other")

    def print_skipped(self):
        by_reason = collections.Counter(text.strip().splitlines()[-1] if text.strip() else "" for text in
            self.skipped.values())
        for reason, count in by_reason.most_common():
            print(f"skipped {count}: {reason}")


def times(outcomes, before):
    """What times.json keeps of these outcomes."""
    found = {}
    for one in outcomes:
        for name, (wall, _, has_processes) in one.suites.items():
            entry = found.setdefault(name, {"seconds": 0.0, "processes": False})
            entry["seconds"] = round(entry["seconds"] + wall, 1)
            entry["processes"] |= has_processes
    for name, entry in found.items():
        if entry["seconds"] > plan.DIVIDED_SECONDS:
            entry["tests"] = {test.split("/", 1)[1]: round(seconds, 1) for one in outcomes
                for test, seconds in sorted(one.functions.items()) if plan.suite(test) == name and "/" in test}
    return {**before, **found}
