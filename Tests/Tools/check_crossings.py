#!/usr/bin/env python3
"""Counts crossings of random levels over a recording's expected results and compares them with `bitpal alert backtest`.

usage: check_crossings.py BITPAL RECORDINGS NAME VENUE [LEVELS] [SEED]

It shares nothing with the engine: it walks every rule over every trade (or every top of book) with exact fractions.
Prints one line and ends with 0 when the firings are the same, in the same order; with 1 otherwise.
"""
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
from decimal import Decimal
from datetime import datetime, timezone

HOUR = 3_600_000_000_000


def nanoseconds(text):
    if "T" in text:
        whole, _, fraction = text.rstrip("Z").partition(".")
        seconds = int(datetime.fromisoformat(whole).replace(tzinfo=timezone.utc).timestamp())
        return seconds * 10**9 + int((fraction + "0" * 9)[:9] or 0)
    value = Decimal(text)
    return int(value * (10**6 if value > 10**11 else 10**9))


def lines(path):
    if not os.path.exists(path):
        return
    with gzip.open(path, "rt") as file:
        for line in file:
            yield json.loads(line, parse_float=Decimal)


def random_rules(generator, prices, venue, count):
    """Rules around the prices of each symbol, some exactly on a price, some finer than the market."""
    rules = []
    symbols = sorted(prices)
    for number in range(count):
        symbol = generator.choice(symbols)
        kinds = sorted(prices[symbol])
        kind = generator.choice(kinds)
        seen = prices[symbol][kind]
        level = generator.choice(seen)
        step = max(max(seen) - min(seen), level / 1000)
        choice = generator.randrange(4)
        if choice == 1:
            level += step * Decimal(generator.randrange(-1200, 1200)) / 1000
        if choice >= 2:
            level += Decimal(generator.choice([-1, 1])) * Decimal(10) ** level.as_tuple().exponent / generator.choice([2, 10, 8])
        level = abs(level) or Decimal(1)
        level = level.quantize(Decimal(10) ** -min(12, max(0, -level.as_tuple().exponent)))
        if generator.randrange(8) == 0:
            low = abs(level - step / 7).quantize(Decimal(10) ** -8)
            condition = {"price": kind, "leaves": {"low": format(low, "f"), "high": format(level + step / 7, "f")[:16]}}
            if Decimal(condition["leaves"]["low"]) <= 0 or Decimal(condition["leaves"]["low"]) >= Decimal(condition["leaves"]["high"]):
                continue
        else:
            condition = {"price": kind, "crosses": generator.choice(["above", "below", "either"]), "level": format(level, "f")}
        rule = {"id": f"r{number}", "instrument": f"{venue}:{symbol}", "condition": condition}
        if generator.randrange(2):
            rule["repeat"] = {"cooldown": generator.choice(["0s", "1s", "7s", "1m", "1h"])}
            if generator.randrange(2) and "level" in condition:
                rule["repeat"]["hysteresis"] = format((step * generator.randrange(0, 300) / 1000).quantize(Decimal(10) ** -9), "f")
        else:
            rule["repeat"] = "once"
        rules.append(rule)
    return rules


class Walk:
    """One rule walked over every price."""

    seconds = {"0s": 0, "1s": 10**9, "7s": 7 * 10**9, "1m": 60 * 10**9, "1h": HOUR}

    def __init__(self, rule):
        self.rule = rule["id"]
        self.condition = rule["condition"]
        self.once = rule["repeat"] == "once"
        repeat = {} if self.once else rule["repeat"]
        self.cooldown = self.seconds[repeat.get("cooldown", "1h")]
        self.back = Decimal(repeat.get("hysteresis", "0"))
        self.previous = None
        self.fired = None
        self.waits_for = None

    def crossed(self, price):
        if "leaves" in self.condition:
            low, high = (Decimal(self.condition["leaves"][side]) for side in ("low", "high"))
            if low <= self.previous <= high and not low <= price <= high:
                return "up" if price > high else "down"
            return None
        level = Decimal(self.condition["level"])
        way = self.condition["crosses"]
        if way != "below" and self.previous < level <= price:
            return "up"
        if way != "above" and self.previous > level >= price:
            return "down"
        return None

    def see(self, price, time):
        previous = self.previous
        if previous is not None:
            if self.waits_for and (price <= self.waits_for[1] if self.waits_for[0] == "up" else price >= self.waits_for[1]):
                self.waits_for = None
            way = self.crossed(price)
            self.previous = price
            if not way or self.waits_for or (self.once and self.fired is not None):
                return False
            if self.fired is not None and time - self.fired < self.cooldown:
                return False
            self.fired = time
            if self.back > 0:
                level = Decimal(self.condition["level"])
                self.waits_for = (way, level - self.back if way == "up" else level + self.back)
            return True
        self.previous = price
        return False


def events(folder, name, kinds):
    """(symbol, kind, price, time, id) in the order of the recording, each symbol on its own."""
    if "last" in kinds:
        for row in lines(f"{folder}/expected/{name}/trades.jsonl.gz"):
            yield row["symbol"], "last", Decimal(row["price"]), nanoseconds(row["ts"]), row["id"]
    if "bid" in kinds:
        for row in lines(f"{folder}/expected/{name}/tob.jsonl.gz"):
            if row[4] is None or row[6] is None or Decimal(row[4]) >= Decimal(row[6]):
                continue
            bid, ask = Decimal(row[4]), Decimal(row[6])
            for kind, price in (("bid", bid), ("ask", ask), ("mid", (bid + ask) / 2)):
                yield row[0], kind, price, nanoseconds(str(row[2])), None


def main():
    bitpal, folder, name, venue = sys.argv[1:5]
    count = int(sys.argv[5]) if len(sys.argv) > 5 else 1000
    generator = random.Random(int(sys.argv[6]) if len(sys.argv) > 6 else 1)
    # The venue's times of book changes are not among the expected results: only trades are checked with cooldowns.
    for kinds in (["last"], ["bid", "ask", "mid"]):
        market = list(events(folder, name, kinds))
        prices = {}
        for symbol, kind, price, _, _ in market:
            prices.setdefault(symbol, {}).setdefault(kind, []).append(price)
        if not prices:
            print(f"{name}: no {kinds[0]} prices")
            continue
        rules = random_rules(generator, prices, venue, count)
        if kinds != ["last"]:
            for rule in rules:
                if rule["repeat"] != "once":
                    rule["repeat"]["cooldown"] = "0s"
        by_market = {}
        for rule in rules:
            key = (rule["instrument"].partition(":")[2], rule["condition"]["price"])
            by_market.setdefault(key, []).append(Walk(rule))
        for walks in by_market.values():
            walks.sort(key=lambda walk: walk.rule)
        expected = []
        for order, (symbol, kind, price, time, identity) in enumerate(market):
            for walk in by_market.get((symbol, kind), []):
                if walk.see(price, time):
                    expected.append((time if kinds == ["last"] else 0, order, walk.rule, price, identity))
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            for rule in rules:
                file.write(json.dumps(rule) + "\n")
            file.flush()
            run = subprocess.run(
                [bitpal, "alert", "backtest", "--rules", file.name, "--recording", f"{folder}/{name}.jsonl.gz"],
                capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"{name}: {run.stderr.strip()}")
        found = [json.loads(line) for line in run.stdout.splitlines()]
        if kinds == ["last"]:
            expected.sort(key=lambda firing: (firing[0], firing[1], firing[2]))
            wanted = [(time, rule, price, identity) for time, _, rule, price, identity in expected]
            got = [(nanoseconds(row["venue_time"]), row["rule"], Decimal(row["price"]), row["trade_id"]) for row in found]
        else:
            wanted = sorted((rule, order, price) for _, order, rule, price, _ in expected)
            wanted = [(rule, price) for rule, _, price in wanted]
            got = sorted(((row["rule"], place, Decimal(row["price"])) for place, row in enumerate(found)))
            got = [(rule, price) for rule, _, price in got]
        if wanted != got:
            for index, (a, b) in enumerate(zip(wanted, got)):
                if a != b:
                    sys.exit(f"{name} {kinds}: firing {index} should be {a}, is {b}")
            sys.exit(f"{name} {kinds}: {len(wanted)} firings wanted, {len(got)} found")
        print(f"{name}: {len(rules)} rules on {'/'.join(kinds)}, {len(market)} prices, {len(got)} firings, all as expected")


if __name__ == "__main__":
    main()
