"""The processes below a lane, and the processor time that they took."""

import ctypes
import os
import signal

TICKS = os.sysconf("SC_CLK_TCK")
PR_SET_CHILD_SUBREAPER = 36
PR_SET_PDEATHSIG = 1


def adopt():
    """What loses its parent below this process becomes its child: nothing runs unseen, nothing stays."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent():
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def reap(keep=()):
    """Takes leave of adopted children that ended."""
    for child in children(os.getpid(), table()):
        if child not in keep:
            try:
                os.waitpid(child, os.WNOHANG)
            except ChildProcessError:
                pass


def table():
    """Parent and seconds of every process; the seconds include children that it has waited for."""
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            continue
        found[int(name)] = (int(fields[1]), sum(map(int, fields[11:15])) / TICKS)
    return found


def children(process, processes):
    return [child for child, (parent, _) in processes.items() if parent == process]


def descendants(process, processes=None):
    processes = processes or table()
    found, open_ends = [], [process]
    while open_ends:
        below = children(open_ends.pop(), processes)
        found += below
        open_ends += below
    return found


def seconds_below(apart):
    """Processor seconds of all that runs or ran below this process, and those of them without one process's own."""
    processes = table()
    waited_for = os.times()
    total = (waited_for.children_user + waited_for.children_system
        + sum(processes[child][1] for child in descendants(os.getpid(), processes)))
    return total, total - own_seconds(apart)


def own_seconds(process):
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return sum(map(int, file.read().rpartition(b")")[2].split()[11:13])) / TICKS
    except OSError:
        return 0


def end_all():
    """Ends whatever is still below this process."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        for child in descendants(os.getpid()):
            try:
                os.kill(child, number)
            except ProcessLookupError:
                pass
        reap()
