"""Asks two gateways the same, one of before a change and one of after, beside each other on one market and one database.

    compare_answers.py BEFORE AFTER DESCRIPTION

BEFORE and AFTER are folders with the programs `bitpal` and `gateway`; DESCRIPTION is an OpenAPI file (YAML or JSON) of
before: every route that it describes is asked with its examples, with each parameter alone, with a body that lacks each
field, and with one that has a field too many. Answers to reading are compared byte for byte; those that make something are
asked of each gateway by a user of its own, with keys, times and secrets masked. Prints what differs; exit status 1 then.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import yaml

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Runner"))
import cluster  # noqa: E402

PASSWORD = "correct horse battery staple 9"
MASKS = [(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "ID"),
         (r"20\d\d-\d\d-\d\dT[0-9:.]+Z", "TIME"), (r"[A-Za-z0-9_+/=-]{24,}", "SECRET"), (r"\b(bob)?[ab]@example\.org", "MAIL"),
         (r"(127\.0\.0\.1|localhost):\d+", "HOST"), (r"[0-9a-f]{8}-\d+\b", "REQUEST")]
# What ends a session or an account, takes minutes of attempts, never ends, or is known to nobody a second time.
LEFT_OUT = re.compile(r"^(/v1/(stream|events|auth/.*|account/totp.*|account/passkeys.*|account/apple)|/health/.*)$")
TYPE = {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}


class Gateway:
    def __init__(self, address):
        self.address, self.cookie = address, None

    def ask(self, method, path, body=None):
        """Status, the headers that say something, and the bytes."""
        headers = dict(TYPE)
        if self.cookie:
            headers["Cookie"] = self.cookie
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                status, told, text = answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            status, told, text = error.code, error.headers, error.read()
        if told.get("Set-Cookie") and self.cookie is None:
            self.cookie = told["Set-Cookie"].split(";")[0]
        kept = {name: told.get(name) for name in ("Content-Type", "Location", "Cache-Control", "ETag", "Allow")}
        return status, kept, text

    def made(self, method, path, body):
        status, _, text = self.ask(method, path, body)
        if status >= 300:
            raise SystemExit(f"{method} {path}: {status} {text.decode()}")
        return json.loads(text or b"null")


def masked(answer):
    status, headers, text = answer
    headers = {name: value for name, value in headers.items() if name != "ETag"}
    text = json.dumps([status, headers]) + " " + text.decode(errors="replace")
    for pattern, word in MASKS:
        text = re.sub(pattern, word, text)
    return text


def whole(answer):
    """All but what each gateway knows of itself: its requests' names, its clock, when it heard what it says."""
    status, headers, text = answer
    text = re.sub(r'"(heard|received_time|lag_ms|age_ms)":("[^"]*"|\d+)', r'"\1":0', text.decode(errors="replace"))
    text = re.sub(r'^(\{"format":"bitpal-export 1","time":)"[^"]*"', r"\1", text)
    text = re.sub(r'^\{"time":"[^"]*"', '{"time":0', text)
    text = re.sub(r'(request )[0-9a-f]{8}-\d+', r"\1", text)
    return json.dumps([status, {name: value for name, value in headers.items() if name != "ETag"}]) + " " + text


def world(gateway):
    """One of each thing, by the word that paths have for its kind."""
    ids = {}
    for path, body in {
        "watchlists": {"name": "Coins"}, "portfolios": {"name": "Savings", "base": "USD"},
        "channels": {"kind": "ntfy", "name": "phone", "settings": {"server": "https://ntfy.sh", "topic": "x"}},
        "alerts": {"instrument": "kraken:BTC/USD", "condition": {"price": "last", "crosses": "above", "level": "1"}},
    }.items():
        ids[path] = gateway.made("POST", f"/v1/{path}", body)["id"]
    gateway.made("POST", f"/v1/watchlists/{ids['watchlists']}/entries", {"instrument": "kraken:BTC/USD"})
    for index, kind in enumerate(["deposit", "buy", "sell", "fee", "staking_reward"]):
        row = {"time": f"2026-01-0{index + 1}T12:00:00Z", "kind": kind, "asset": "BTC", "amount": "0.5"}
        if kind in ("buy", "sell"):
            row |= {"counter_asset": "USD", "counter_amount": "30000"}
        gateway.ask("POST", f"/v1/portfolios/{ids['portfolios']}/transactions", row)
    return ids


def follow(api, value):
    while isinstance(value, dict) and "$ref" in value:
        found = api
        for step in value["$ref"].split("/")[1:]:
            found = found[step]
        value = found
    return value


def filled(path, ids):
    kind = path.split("/")[2] if path.startswith("/v1/") else ""
    values = {"id": ids.get(kind, "0192f0c1-4a6b-7c3d-8e9f-0a1b2c3d4e5f"), "instrument": "kraken:BTC%2FUSD",
              "pair": "BTC-USD", "number": "2", "token": "A" * 43, "share": "0192f0c1-4a6b-7c3d-8e9f-0a1b2c3d4e5f"}
    return re.sub(r"\{(\w+)\}", lambda found: str(values[found[1]]), path)


def questions(api):
    """Method, path as it is described, what stands behind it, body."""
    for path, operations in api["paths"].items():
        if LEFT_OUT.match(path):
            continue
        for method, operation in operations.items():
            method = method.upper()
            content = follow(api, operation.get("requestBody", {})).get("content", {}).get("application/json")
            examples = [None]
            if content:
                examples = [content["example"]] if "example" in content else [
                    one["value"] for one in content["examples"].values()]
            queries = [""] + list(queried(api, operation)) + ["?nonsense=1"]
            for query in queries:
                yield method, path, query, examples[0]
            for body in examples[1:]:
                yield method, path, "", body
            if method == "GET":
                continue
            for body in broken(examples[0]):
                yield method, path, "", body


def queried(api, operation):
    for parameter in map(lambda one: follow(api, one), operation.get("parameters", [])):
        if parameter.get("in") != "query":
            continue
        schema, name = parameter.get("schema", {}), parameter["name"]
        values = schema.get("enum") or [parameter.get("example", schema.get("default", schema.get("minimum", "1")))]
        for value in [*values, "%20x"]:
            text = str(value).lower() if isinstance(value, bool) else str(value)
            yield f"?{name}={text.replace(' ', '%20').replace('+', '%2B')}"


def broken(body):
    yield b"{"
    yield b"[]"
    yield {}
    if isinstance(body, dict):
        yield {**body, "nonsense": 1}
        for name in body:
            yield {key: value for key, value in body.items() if key != name}
            for wrong in (None, 7, "x", [], {}, True):
                if type(wrong) is not type(body[name]):
                    yield {**body, name: wrong}


def own(body, user):
    """The body with another person's address for each user: no two have the same."""
    return body if isinstance(body, bytes) or body is None else json.loads(
        json.dumps(body).replace("bob@example.org", f"bob{user}@example.org"))


def compare(api, before, after, ids):
    asked, differing = 0, []
    for method, path, query, body in questions(api):
        asked += 1
        name = f"{method} {path}{query}" + ("" if body is None else f" {body if isinstance(body, bytes) else json.dumps(body)}")
        if method == "GET":
            # Whoever is asked second may know of something newer: several attempts, each with both.
            target = filled(path, ids["a"]) + query
            after.cookie, kept = before.cookie, after.cookie
            for _ in range(12):
                one, two = before.ask(method, target), after.ask(method, target)
                if whole(one) == whole(two):
                    break
                time.sleep(0.05)
            after.cookie = kept
            first, second = whole(one), whole(two)
        else:
            first, second = (
                masked(gateway.ask(method, filled(path, ids[user]) + query, own(body, user)))
                for user, gateway in (("a", before), ("b", after)))
        if first != second:
            differing.append((name, first, second))
    return asked, differing


def wait(process, pattern, log):
    while True:
        found = re.search(pattern, open(log).read())
        if found:
            return found[1]
        if process.poll() is not None:
            raise SystemExit(open(log).read()[-3000:])
        time.sleep(0.1)


def run(old, new, description):
    with open(description) as file:
        api = yaml.safe_load(file)
    folder = tempfile.mkdtemp(prefix="bitpal-answers-")
    os.chmod(folder, 0o755)
    os.mkdir(f"{folder}/data")
    cluster.make(f"{folder}/model")
    url = cluster.start(f"{folder}/cluster", f"{folder}/model")
    base, running = 7900, []
    environment = {
        **os.environ, "BITPAL_DATABASE_URL": url, "BITPAL_BUS": f"tcp://127.0.0.1:{base}",
        "BITPAL_VENUE_SIMULATOR_ADDRESS": f"127.0.0.1:{base + 3}", "BITPAL_UP_OPERATIONS_ADDRESS": f"127.0.0.1:{base + 4}",
        "BITPAL_GATEWAY_REQUESTS_PER_MINUTE": "1000000", "BITPAL_KEY_FILE": f"{folder}/data/accounts.key"}

    def start(command, log, **further):
        with open(log, "wb") as output:
            running.append(subprocess.Popen(
                command, env={**environment, **further}, cwd=folder, stdout=output, stderr=subprocess.STDOUT))
        return running[-1]

    try:
        up = start([f"{old}/bitpal", "up", "--profile", "demo", "--data-dir", f"{folder}/data", "--http",
                    f"127.0.0.1:{base + 5}"], f"{folder}/up.log")
        token = wait(up, r"/setup#token=(\S+)", f"{folder}/up.log")
        # Each gateway keeps the names of assets for a while: both begin with all of them.
        wait(up, r"(Metadata of assets is fresh)", f"{folder}/up.log")
        gateways = []
        for place, programs in enumerate((old, new)):
            port = base + 10 + 2 * place
            start([f"{programs}/gateway"], f"{folder}/gateway{place}.log", BITPAL_GATEWAY_ADDRESS=f"127.0.0.1:{port}",
                  BITPAL_GATEWAY_OPERATIONS_ADDRESS=f"127.0.0.1:{port + 1}")
            gateways.append(Gateway(f"http://127.0.0.1:{port}"))
        for gateway in gateways:
            while True:
                try:
                    if gateway.ask("GET", "/health/ready")[0] == 200:
                        break
                except OSError:
                    pass
                for place, process in enumerate(running[1:]):
                    if process.poll() is not None:
                        raise SystemExit(open(f"{folder}/gateway{place}.log").read()[-3_000:])
                time.sleep(0.1)
        boss = Gateway(f"http://127.0.0.1:{base + 5}")
        boss.made("POST", "/v1/auth/first-operator",
                  {"token": token, "email": "boss@example.org", "password": PASSWORD})
        ids = {}
        for name, gateway in zip("ab", gateways):
            made = boss.made("POST", "/v1/operator/users", {"email": f"{name}@example.org", "role": "operator"})
            boss.made("POST", "/v1/auth/reset/confirm", {"token": made["reset"]["token"], "password": PASSWORD})
            gateway.made("POST", "/v1/auth/sign-in", {"email": f"{name}@example.org", "password": PASSWORD})
            ids[name] = world(gateway)
        # Until there is a day's worth of nothing less than a candle, a trade and a book.
        while not json.loads(gateways[0].ask("GET", "/v1/candles/kraken:BTC%2FUSD")[2]).get("items"):
            time.sleep(1)
        asked, differing = compare(api, *gateways, ids)
    finally:
        for process in reversed(running):
            process.terminate()
        for process in running:
            process.wait()
        cluster.stop(f"{folder}/cluster")
    for name, first, second in differing:
        print(f"{name}\n  before {first[:1_500]}\n  after  {second[:1_500]}")
    print(f"{asked} questions, {len(differing)} answered differently")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(run(*sys.argv[1:4]))
