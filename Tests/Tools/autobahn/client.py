"""Runs Autobahn's fuzzing client against an echo server, and prints what became of its cases.

    client.py SUITE REPORT ws://HOST:PORT/PATH [CASE …]

SUITE is the folder that convert.py made; REPORT gets Autobahn's own report, index.html and index.json. A CASE is a
pattern of Autobahn's, such as 6.4.*; without one every case is run. Ends with 0 when every case has passed or is of
an extension that the server does not offer, else with 1.
"""
import contextlib
import io
import sys

sys.path.insert(0, sys.argv[1])

import peer  # noqa: E402
from autobahntestsuite import fuzzing  # noqa: E402
from twisted.internet import reactor  # noqa: E402


def main(folder, address, cases):
    fuzzing.FuzzingClientProtocol = peer.ClientProtocol
    spec = {
        "outdir": folder,
        "servers": [{"agent": "Bitpal", "url": address}],
        "options": {**peer.TIMEOUTS, "serverConnectionDropTimeout": 20},
        "cases": cases or ["*"],
    }
    with contextlib.redirect_stdout(io.StringIO()):
        factory = fuzzing.FuzzingClientFactory(spec)
        reactor.run()
    results = factory.agents.get("Bitpal", {})
    if not results:
        print(f"no case was run: nothing answers at {address}")
        return 1
    return peer.report(factory.specCases, results, address)


sys.exit(main(sys.argv[2], sys.argv[3], sys.argv[4:]))
