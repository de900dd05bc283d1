"""Asks a gateway everything that its OpenAPI document describes, and much that it forbids, with schemathesis.

    check_openapi.py ADDRESS SETUP_TOKEN FOLDER PHASES EXAMPLES

Makes the first operator and one of each thing, so that there is something to find, and lets schemathesis ask: as
nobody what signs in, as the operator the rest. With PHASES (examples, coverage, fuzzing, stateful) and up to EXAMPLES
questions a route. Fails on an answer with a status, type, header or content that the document does not describe, and on
every failure of the server but the documented 503 of what is not there at the moment.
"""
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request

CHECKS = ("not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,"
          "response_schema_conformance")
# What ends or replaces the session of who asks.
SIGNING = (r"^/v1/(auth/(sign-(in|up|out|out-everywhere)|first-operator|passkeys/sign-in)"
           r"|account/sessions/[{]id[}])$")
# Events never end, and a WebSocket is no HTTP.
ENDLESS = r"^/v1/(stream|events)$"


class Site:
    def __init__(self, address):
        self.address, self.cookie = address, None

    def ask(self, method, path, body=None):
        headers = {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
        if self.cookie:
            headers["Cookie"] = self.cookie
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.address + path, data, headers, method=method)) as answer:
            if self.cookie is None:
                self.cookie = answer.headers["Set-Cookie"].split(";")[0]
            return json.load(answer)

    def get(self, path):
        return self.ask("GET", path)

    def post(self, path, body):
        return self.ask("POST", path, body)


def wait_for_market(site):
    """The gateway answers before the feed has said what the venue lists."""
    while not any(one["instrument"] == "kraken:BTC/USD" for one in site.get("/v1/instruments?q=BTC/USD")["items"]):
        time.sleep(0.1)


def things(site):
    """One of each, by the beginning of its routes' paths."""
    made = {"watchlists": {"name": "Coins"}, "portfolios": {"name": "Savings", "base": "USD"},
            "channels": {"kind": "ntfy", "name": "phone", "settings": {"server": "https://ntfy.sh", "topic": "x"}},
            "alerts": {"instrument": "kraken:BTC/USD",
                       "condition": {"price": "last", "crosses": "above", "level": "61000"}}}
    wait_for_market(site)
    ids = {}
    for path, body in made.items():
        try:
            ids[path] = site.post(f"/v1/{path}", body)["id"]
        except urllib.error.HTTPError as error:
            raise SystemExit(f"POST /v1/{path}: {error.code} {error.read().decode()}")
    site.post(f"/v1/watchlists/{ids['watchlists']}/entries", {"instrument": "kraken:BTC/USD"})
    return ids


def configuration(ids):
    """What is asked for by a key exists, but for DELETE: what is gone has nothing to say."""
    text = "[generation]\nwith-security-parameters = false\n"
    text += '[checks.not_a_server_error]\nexpected-statuses = ["2xx", "3xx", "4xx", 503]\n'
    for path, key in ids.items():
        text += (f'[[operations]]\ninclude-path-regex = "^/v1/{path}/[{{]id[}}]"\n'
                 f'exclude-method = "DELETE"\nparameters = {{ "path.id" = "{key}" }}\n')
    text += ('[[operations]]\ninclude-path-regex = "^/v1/(candles|tickers|books|trades|instruments|indicators)/"\n'
             'parameters = { "path.instrument" = "kraken:BTC/USD" }\n')
    return text


def ask(address, folder, phases, examples, headers, paths):
    """One run; whether nothing was found."""
    command = [os.path.join(os.path.dirname(sys.executable), "schemathesis"),
               "--config-file", os.path.join(folder, "schemathesis.toml"), "run", f"{address}/openapi.json",
               "--checks", CHECKS, "--phases", phases, "-n", examples, "--seed", "6", "--no-shrink",
               "--continue-on-failure", "--suppress-health-check", "all", "--request-timeout", "60",
               "--generation-database", "none", "--no-color", *paths]
    for name, value in {"Sec-Fetch-Site": "same-origin", **headers}.items():
        command += ["-H", f"{name}: {value}"]
    return subprocess.run(command + sys.argv[6:], cwd=folder, check=False).returncode == 0


def run(address, token, folder, phases, examples):
    site = Site(address)
    site.post("/v1/auth/first-operator",
              {"token": token, "email": "operator@example.org", "password": "correct horse battery staple 9"})
    with open(os.path.join(folder, "schemathesis.toml"), "w", encoding="utf-8") as file:
        file.write(configuration(things(site)))
    done = [ask(address, folder, phases, examples, {"Cookie": site.cookie},
                ["--exclude-path-regex", f"{SIGNING}|{ENDLESS}"]),
            ask(address, folder, phases, examples, {}, ["--include-path-regex", SIGNING])]
    # Whatever was asked, the operator is still signed in: else most of it was answered with 401.
    site.get("/v1/account")
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(run(*sys.argv[1:6]))
