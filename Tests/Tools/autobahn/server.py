"""Runs Autobahn's fuzzing server for an echo client, and prints what became of its cases.

    server.py SUITE REPORT [CASE …]

SUITE, REPORT, CASE and how it ends are as client.py has them. The first line is where it listens, such as
ws://127.0.0.1:9001; a client asks /getCaseCount there, sends back what it hears at /runCase?agent=Bitpal&case=N for
each N from 1, and ends it with /updateReports?agent=Bitpal.
"""
import contextlib
import io
import sys

sys.path.insert(0, sys.argv[1])

import peer  # noqa: E402
from autobahntestsuite import fuzzing  # noqa: E402
from twisted.internet import reactor  # noqa: E402


class Protocol(peer.ServerProtocol):
    def onOpen(self):
        isLast = self.path == "/updateReports"
        try:
            super().onOpen()
        finally:
            # A moment for the close of this connection; what became of the cases is known, report or not.
            if isLast:
                reactor.callLater(1, reactor.stop)


def main(folder, cases):
    spec = {"outdir": folder, "url": "ws://127.0.0.1:1", "options": peer.TIMEOUTS, "cases": cases or ["*"]}
    with contextlib.redirect_stdout(io.StringIO()):
        factory = fuzzing.FuzzingServerFactory(spec)
        factory.protocol = Protocol
        listener = reactor.listenTCP(0, factory, interface="127.0.0.1")
        address = f"ws://127.0.0.1:{listener.getHost().port}"
        # A request must name the port that the factory knows.
        factory.setSessionParameters(url=address, protocols=[], server="Autobahn")
        print(address, file=sys.__stdout__, flush=True)
        reactor.run()
    return peer.report(factory.specCases, factory.agents.get("Bitpal", {}), "whoever asked")


sys.exit(main(sys.argv[2], sys.argv[3:]))
