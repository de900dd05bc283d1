"""A lane: a process that runs one unit after the other, with a cluster, ports and a folder of its own."""

import json
import os
import signal
import subprocess
import threading
import time
from dataclasses import dataclass, field

import cluster
import processes

# Against a hang only: the tests have limits of their own, which say more.
UNIT_LIMIT_SECONDS = 2400 if os.environ.get("SOAK") is None else 86_400
PORTS_FROM, PORTS_TO = 20_000, 30_000
# What the shell that removes a test's folder may take and a program that somebody starts exceeds.
NOTICED_SECONDS = 0.03
# What an idle database beside a suite takes, of its time.
IDLE_SHARE = 0.01


@dataclass
class Outcome:
    """What came of a unit."""

    name: str
    lane: int
    log: str = ""
    status: int = 0
    seconds: float = 0
    ended: list = field(default_factory=list)
    failed: dict = field(default_factory=dict)
    skipped: dict = field(default_factory=dict)
    repeated: list = field(default_factory=list)
    # By suite: wall seconds, processor seconds, whether it starts processes.
    suites: dict = field(default_factory=dict)
    functions: dict = field(default_factory=dict)


class Lane:
    """Runs units that come through a queue, one at a time."""

    def __init__(self, number, count, folder, model, binary, environment):
        self.number, self.binary = number, binary
        self.folder = f"{folder}/lane-{number}"
        self.model = model
        each = (PORTS_TO - PORTS_FROM) // count
        first = PORTS_FROM + number * each
        # What tests leave in a temporary folder goes with the lane's.
        self.environment = {**environment, "TEST_PORTS": f"{first}-{first + each - 1}", "TEST_FOLDER": self.folder,
            "TMPDIR": f"{self.folder}/tmp"}

    def run(self, queues, outcomes):
        """Takes units from one queue after the other, each until it has no more."""
        processes.adopt()
        processes.die_with_parent()
        signal.signal(signal.SIGTERM, lambda *_: os._exit(self.close()))
        os.makedirs(f"{self.folder}/tmp")
        if self.model:
            self.environment["POSTGRES_TEST_URL"] = cluster.start(f"{self.folder}/cluster", self.model)
            self.environment["TEST_TEMPLATES"] = "shared"
        try:
            for units in queues:
                while (unit := units.get()) is not None:
                    outcomes.put(self.run_unit(unit))
        finally:
            self.close()

    def close(self):
        if self.model:
            cluster.stop(f"{self.folder}/cluster")
        processes.end_all()
        return 1

    def run_unit(self, unit):
        """One process of the test runner, its events read as they come."""
        number, tests = unit
        stem = f"{self.folder}/{number}"
        outcome = Outcome(tests.name, self.number, f"{stem}.log")
        trace = f"{stem}.trace"
        os.mkfifo(f"{stem}.events")
        # Swift Testing writes its events there; both ends are opened by whoever is there first.
        command = [self.binary, "--testing-library", "swift-testing", "--no-parallel", "--event-stream-version", "0",
            "--event-stream-output-path", f"{stem}.events"]
        for one in tests.filters:
            command += ["--filter", one]
        begin = time.monotonic()
        with open(outcome.log, "wb") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                env=self.variables(trace), start_new_session=True)
            # Opened for writing, too: the reading does not hang where the process never comes to it.
            events = os.open(f"{stem}.events", os.O_RDWR | os.O_NONBLOCK)
            reader = Reader(outcome, trace, process.pid)
            stop = threading.Event()
            reading = threading.Thread(target=reader.read, args=(events, stop))
            reading.start()
            try:
                outcome.status = process.wait(UNIT_LIMIT_SECONDS)
            except subprocess.TimeoutExpired:
                outcome.failed[tests.name] = f"did not end within {UNIT_LIMIT_SECONDS} s"
                process.kill()
                outcome.status = process.wait()
            stop.set()
            reading.join()
            os.close(events)
        processes.reap()
        outcome.seconds = time.monotonic() - begin
        for test in reader.open:
            outcome.failed.setdefault(test, f"did not end; the process ended with status {outcome.status}")
        if os.path.exists(trace):
            with open(trace) as file:
                outcome.repeated = [line[7:].strip() for line in file if line.startswith("repeat ")]
        return outcome

    def variables(self, trace):
        # A sanitizer's library is the test process's alone, not that of everything around it.
        preloaded = {"LD_PRELOAD": os.environ["TEST_PRELOAD"]} if "TEST_PRELOAD" in os.environ else {}
        return {**self.environment, **preloaded, "TEST_TRACE": trace}


class Reader:
    """Follows the events of a process: what began, ended, was skipped, went wrong, and how long it took."""

    def __init__(self, outcome, trace, process):
        self.outcome, self.trace, self.process = outcome, trace, process
        self.open = {}
        self.kinds = {}
        self.rest = b""

    def read(self, events, stop):
        while True:
            is_over = stop.is_set()
            try:
                piece = os.read(events, 1 << 16)
            except BlockingIOError:
                piece = b""
            if not piece:
                if is_over:
                    return
                time.sleep(0.01)
                continue
            lines = (self.rest + piece).split(b"\n")
            self.rest = lines.pop()
            for line in lines:
                if line:
                    self.note(json.loads(line))

    def note(self, record):
        payload = record["payload"]
        if record["kind"] == "test":
            self.kinds[payload["id"]] = payload["kind"]
            return
        kind, test = payload["kind"], payload.get("testID")
        if test is None:
            return
        name = short(test)
        is_suite = self.kinds.get(test) == "suite"
        now = payload["instant"]["absolute"]
        if kind == "testStarted":
            self.begin(name, now)
        elif kind == "testEnded" and name in self.open:
            self.end(name, now, is_suite)
        elif kind == "testSkipped" and not is_suite:
            self.outcome.skipped[name] = said(payload)
        elif kind == "testSkipped":
            self.outcome.skipped.setdefault(name + "/", said(payload))
        elif kind == "issueRecorded" and not payload.get("issue", {}).get("isKnown"):
            self.outcome.failed[name] = self.outcome.failed.get(name, "") + said(payload) + "\n"

    def begin(self, name, now):
        self.open[name] = (now, None if "/" in name else self.spent(), self.traced())

    def end(self, name, now, is_suite):
        began, spent, traced = self.open.pop(name)
        seconds = now - began
        if not is_suite:
            self.outcome.ended.append(name)
            self.outcome.functions[name] = seconds
        if spent:
            total, others = (after - before for after, before in zip(self.spent(), spent))
            # A database is a process of the lane's, which the test names; others are seen by what they spend.
            has_others = self.traced() > traced or others > NOTICED_SECONDS + IDLE_SHARE * seconds
            self.outcome.suites[name] = (seconds, total, has_others)

    def spent(self):
        return processes.seconds_below(self.process)

    def traced(self):
        return os.path.getsize(self.trace) if os.path.exists(self.trace) else 0


def short(test):
    """Without the place in the source: `Target.Suite/function()`."""
    return "/".join(part for part in test.split("/") if ".swift:" not in part)


def said(payload):
    return "\n".join(message["text"] for message in payload.get("messages", []))
