"""What Autobahn's fuzzing client and its fuzzing server have in common: see client.py and server.py.

The folder that convert.py made must be on the path before this is imported.
"""
import collections

from autobahn.websocket import protocol
from autobahn_bytes import as_bytes, as_string
from autobahntestsuite import fuzzing, version
from autobahntestsuite.case import Case, CaseCategories

# Nobody need speak the extension of these.
COMPRESSION = ("12", "13")
# The suite gives its peer half a second or one for an answer; on a machine that is busy with more it may take longer.
# Who answers is not waited for.
PATIENCE = 20
TIMEOUTS = {"openHandshakeTimeout": 60, "closeHandshakeTimeout": 20}
COLUMNS = [Case.OK, Case.NON_STRICT, Case.INFORMATIONAL, Case.UNIMPLEMENTED, Case.FAILED]


class BytesOutside:
    """Bytes on the network's side, strings of bytes on the cases' side."""

    def sendFrame(self, opcode, payload=b"", fin=True, rsv=0, mask=None, payload_len=None, chopsize=None, sync=False):
        payload = as_bytes(payload)
        if payload_len is not None:
            payload = (payload * (payload_len // len(payload) + 1))[:payload_len]
        super().sendFrame(opcode, payload, fin, rsv, as_bytes(mask), None, chopsize, sync)

    def sendMessage(self, payload, *arguments, **named):
        super().sendMessage(as_bytes(payload), *arguments, **named)

    def sendMessageFrameData(self, payload, sync=False):
        return super().sendMessageFrameData(as_bytes(payload), sync)

    def sendCloseFrame(self, code=None, reasonUtf8=None, isReply=False):
        super().sendCloseFrame(code, as_bytes(reasonUtf8), isReply)

    def onMessage(self, payload, isBinary):
        super().onMessage(as_string(payload), isBinary)

    def onPong(self, payload):
        super().onPong(as_string(payload))

    def logRxOctets(self, data):
        super().logRxOctets(as_string(data))

    def logTxOctets(self, data, sync):
        super().logTxOctets(as_string(data), sync)

    def logRxFrame(self, frameHeader, payload):
        super().logRxFrame(frameHeader, [as_string(part) for part in payload])

    def logTxFrame(self, frameHeader, payload, repeatLength, chopsize, sync):
        super().logTxFrame(frameHeader, as_string(payload), repeatLength, chopsize, sync)

    def killAfter(self, delay):
        super().killAfter(PATIENCE * delay)

    def connectionLost(self, reason):
        for name in ("localCloseReason", "remoteCloseReason", "http_request_data", "http_response_data"):
            if hasattr(self, name):
                setattr(self, name, as_string(getattr(self, name)))
        super().connectionLost(reason)


class Masker:
    """The mask of a frame over its payload at once, in place of a loop of Python over its bytes."""

    def __init__(self, mask, length=None):
        self.mask, self.place = mask, 0

    def pointer(self):
        return self.place

    def reset(self):
        self.place = 0

    def process(self, data):
        start = self.place & 3
        mask = self.mask[start:] + self.mask[:start]
        self.place += len(data)
        repeated = (mask * (len(data) // 4 + 1))[: len(data)]
        return (int.from_bytes(data, "big") ^ int.from_bytes(repeated, "big")).to_bytes(len(data), "big")


class ClientProtocol(BytesOutside, fuzzing.FuzzingClientProtocol):
    pass


class ServerProtocol(BytesOutside, fuzzing.FuzzingServerProtocol):
    pass


protocol.createXorMasker = Masker


def report(cases, results, whom):
    """Prints what became of the cases with whom they were run; 1 when one has failed, else 0."""
    print(f"autobahntestsuite {version}, {len(cases)} cases against {whom}")
    table, notes = collections.defaultdict(collections.Counter), []
    for name in cases:
        group = name.split(".")[0]
        behavior, close, why = judge(group, results.get(name))
        table[group][behavior] += 1
        if behavior in (Case.FAILED, Case.NON_STRICT):
            notes.append(f"{name} {behavior}, its close {close}: {why}")
    total = sum(table.values(), collections.Counter())
    print(row("", {name: name for name in COLUMNS}))
    for group, counts in table.items():
        print(row(f"{group} {CaseCategories[group]}", counts))
    print(row("", total))
    for note in notes:
        print(note)
    return 1 if total[Case.FAILED] else 0


def row(title, cells):
    return (f"{title:44}" + "".join(f"{cells.get(name) or '':>15}" for name in COLUMNS)).rstrip()


def judge(group, result):
    """What became of a case, of its close, and why."""
    if result is None:
        return Case.FAILED, Case.FAILED, "it was not run"
    behavior, close = result["behavior"], result["behaviorClose"]
    fine = behavior in (Case.OK, Case.NON_STRICT, Case.INFORMATIONAL)
    if behavior == Case.UNIMPLEMENTED and group in COMPRESSION:
        fine = True
    if not fine:
        return Case.FAILED, close, result["result"]
    if close not in (Case.OK, Case.INFORMATIONAL):
        return Case.FAILED, close, result["resultClose"]
    return behavior, close, result["result"]
