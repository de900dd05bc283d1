#!/usr/bin/env python3
"""Makes files of trades in every form that is promised, aggregates them exactly and compares with `bitpal candles`.

usage: check_candles.py BITPAL [FILES] [SEED]

It shares nothing with the tool: numbers are Decimal, times are integers made from the parts of a date. Every file is
either read right, to the last digit, or refused with one line that names the file and the line. Prints one line and
ends with 0 when all are; with 1 otherwise.
"""
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta, timezone
from decimal import Decimal, getcontext

getcontext().prec = 200
SECONDS = {"1s": 1, "1m": 60, "5m": 300, "15m": 900, "30m": 1800, "1h": 3600, "4h": 14400, "1d": 86400, "1w": 604800}
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def start_of(time, interval):
    length = SECONDS[interval] * 10**9
    shift = 3 * 86400 * 10**9 if interval == "1w" else 0
    return time - (time + shift) % length


def plain(number):
    """Without an exponent and without zeros at the end of a fraction."""
    text = format(number, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text if Decimal(text) != 0 else "0"


def candles(trades, interval):
    """Rows by symbol and start, of trades (time, price, size, id, symbol); of one id only the first."""
    seen, kept = set(), []
    for order, (time, price, size, name, symbol) in enumerate(trades):
        if name and (symbol, name) in seen:
            continue
        seen.add((symbol, name))
        kept.append((time, order, price, size, symbol))
    rows = {}
    for time, order, price, size, symbol in sorted(kept, key=lambda trade: trade[:2]):
        key = (symbol or "", start_of(time, interval))
        row = rows.get(key)
        if row is None:
            rows[key] = row = dict(open=price, high=price, low=price, close=price, volume=Decimal(0), quote=Decimal(0), trades=0)
        row["high"], row["low"], row["close"] = max(row["high"], price), min(row["low"], price), price
        row["volume"] += size
        row["quote"] += price * size
        row["trades"] += 1
    return [
        dict(
            symbol=symbol or None, interval=interval, start=(EPOCH + timedelta(seconds=start // 10**9)).strftime("%Y-%m-%dT%H:%M:%SZ"),
            open=plain(row["open"]), high=plain(row["high"]), low=plain(row["low"]), close=plain(row["close"]),
            volume=plain(row["volume"]), quote_volume=plain(row["quote"]), trades=row["trades"])
        for (symbol, start), row in sorted(rows.items())]


def time_text(generator, form, time):
    """The time in a form, and the time that this form can say."""
    whole, rest = divmod(time, 10**9)
    date = (EPOCH + timedelta(seconds=whole))
    if form.startswith("iso"):
        digits = int(form[3])
        kept = rest // 10**(9 - digits) * 10**(9 - digits)
        fraction = "." + f"{rest:09d}"[:digits] if digits else ""
        offset = generator.choice([0, 0, 330, -300, 60])
        shown = date + timedelta(minutes=offset)
        zone = "Z" if generator.randrange(2) else ""
        if offset:
            sign, minutes = ("+" if offset > 0 else "-"), abs(offset)
            zone = f"{sign}{minutes // 60:02d}{generator.choice([':', ''])}{minutes % 60:02d}"
            if minutes % 60 == 0 and generator.randrange(3) == 0:
                zone = f"{sign}{minutes // 60:02d}"
        joint = generator.choice("TT ")
        return shown.strftime(f"%Y-%m-%d{joint}%H:%M:%S") + fraction + zone, whole * 10**9 + kept
    if form == "fraction":
        kept = rest // 1000
        return f"{whole}.{kept:06d}", whole * 10**9 + kept * 1000
    unit = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}[form]
    return str(time // unit), time // unit * unit


def number_text(generator, number):
    """A decimal in one of its spellings."""
    form = generator.randrange(8)
    if form == 0:
        return plain(number) + ("00" if "." in plain(number) else ".000")
    if form == 1:
        sign, digits, exponent = number.as_tuple()
        return f"{''.join(map(str, digits))}{generator.choice('eE')}{exponent:+d}"
    if form == 2 and number < 10**6:
        shift = generator.randrange(1, 9)
        return plain(number * 10**shift) + f"e-{shift}"
    return plain(number)


def a_file(generator):
    """A file's bytes, its name's end, its interval and its trades."""
    interval = generator.choice(list(SECONDS))
    form = generator.choice(["iso0", "iso3", "iso6", "iso9", "fraction", "s", "ms", "us", "ns"])
    symbols = generator.choice([[None], [None], ["BTC/USD"], ["A,B", "ETH-USD", 'say "x"']])
    time = generator.randrange(1_200_000_000, 1_900_000_000) * 10**9
    step = SECONDS[interval] * 10**9 // generator.choice([2, 20, 200])
    places = (generator.randrange(0, 9), generator.randrange(0, 13))
    trades, rows = [], []
    for number in range(generator.randrange(1, 120)):
        time += generator.randrange(step + 1)
        moment = time - (generator.randrange(step * 30 + 1) if generator.randrange(6) == 0 else 0)
        price = Decimal(generator.randrange(1, 10**generator.randrange(1, 12))).scaleb(-places[0])
        size = Decimal(generator.randrange(1, 10**generator.randrange(1, 12))).scaleb(-places[1])
        name = "" if generator.randrange(5) == 0 else generator.choice(["", "t-", "é"]) + str(number)
        if rows and generator.randrange(12) == 0:
            name = generator.choice(trades)[3]
        shown, moment = time_text(generator, form, moment)
        side = generator.choice(["buy", "sell", "BUY", "Sell", "b", "S", ""])
        symbol = generator.choice(symbols)
        trades.append((moment, price, size, name, symbol))
        rows.append(dict(time=shown, price=number_text(generator, price), size=number_text(generator, size), side=side, id=name, symbol=symbol))
    return trades, interval, written(generator, rows, form, symbols)


def written(generator, rows, form, symbols):
    is_json = generator.randrange(2) == 0
    end = generator.choice(["\n", "\r\n"])
    columns = ["time", "price", "size", "side", "id"] + (["symbol"] if symbols != [None] else [])
    if generator.randrange(3) == 0:
        generator.shuffle(columns)
    names = {column: column for column in columns}
    if generator.randrange(3) == 0:
        names["size"] = "amount"
    if generator.randrange(4) == 0:
        names["time"] = "ts"
    lines = []
    if is_json:
        for row in rows:
            parts = []
            for column in columns:
                value = row[column] or ""
                bare = column in ("price", "size") or column == "time" and not form.startswith("iso")
                if bare and generator.randrange(2):
                    parts.append(f'"{names[column]}":{generator.choice(["", " "])}{value}')
                elif value == "" and generator.randrange(2):
                    parts.append(f'"{names[column]}":null')
                else:
                    parts.append(f'"{names[column]}":{json.dumps(value, ensure_ascii=generator.randrange(2) == 0)}')
            lines.append("{" + ",".join(parts + ['"more":{"a":[1,"}"]}'] * generator.randrange(2)) + "}")
    else:
        def field(value):
            if any(byte in value for byte in ',"') or generator.randrange(6) == 0:
                return '"' + value.replace('"', '""') + '"'
            return value
        lines.append(",".join(names[column].upper() if generator.randrange(5) == 0 else names[column] for column in columns))
        lines += [",".join(field(row[column] or "") for column in columns) for row in rows]
    text = end.join(lines) + end * generator.choice([0, 1, 1, 3])
    data = text.encode()
    if generator.randrange(4) == 0:
        data = b"\xef\xbb\xbf" + data
    if generator.randrange(4) == 0:
        # Two members, as when files are joined.
        middle = len(data) // 2
        return gzip.compress(data[:middle]) + gzip.compress(data[middle:]), ".gz"
    return data, generator.choice([".csv", ".jsonl", ""])


HEADER = b"time,price,size,side,id\n"
GOOD = b"2021-07-22T22:36:07.865Z,10.5,2,buy,1\n"
REFUSED = [  # A file and the line that its error names.
    (HEADER + GOOD + b"2021-07-22T22:36:61Z,1,1,buy,2\n", 3),
    (HEADER + b"2021-13-22T22:36:01Z,1,1,buy,2\n", 2),
    (HEADER + b"2021-02-29T22:36:01Z,1,1,buy,2\n", 2),
    (HEADER + b"2021-07-22,1,1,buy,2\n", 2),
    (HEADER + b"yesterday,1,1,buy,2\n", 2),
    (HEADER + b"-5,1,1,buy,2\n", 2),
    (HEADER + b"99999999999999999999,1,1,buy,2\n", 2),
    (HEADER + b",1,1,buy,2\n", 2),
    (HEADER + b"1626993367,,1,buy,2\n", 2),
    (HEADER + b"1626993367,1,,buy,2\n", 2),
    (HEADER + b"1626993367,-1,1,buy,2\n", 2),
    (HEADER + b"1626993367,0,1,buy,2\n", 2),
    (HEADER + b"1626993367,1,0.000,buy,2\n", 2),
    (HEADER + b"1969-12-31T23:59:59Z,1,1,buy,2\n", 2),
    (HEADER + GOOD + b"\0" * 4096 + b"\n" + GOOD, 3),
    (HEADER + GOOD + b"1626993367,1,1,buy,\x1b\n", 3),
    (b"time,price,size,note,Note\n", 1),
    (b'{"time":1626993367,"price":1,"price":1,"size":1}\n', 1),
    (b'{"time":1626993367,"price":1,"size":1,"x":1,"\\u0078":2}\n', 1),
    (b'{"time":1626993367,"price":1,"size":1}\n{"incomplete":"r.gz: cut at line 9"}\n', 2),
    (HEADER + b"1626993367,1,-1,buy,2\n", 2),
    (HEADER + b"1626993367,NaN,1,buy,2\n", 2),
    (HEADER + b"1626993367,Infinity,1,buy,2\n", 2),
    (HEADER + b"1626993367,1e999,1,buy,2\n", 2),
    (HEADER + b'1626993367,"1,5",1,buy,2\n', 2),
    (HEADER + b"1626993367,1 5,1,buy,2\n", 2),
    (HEADER + b"1626993367,.5,1,buy,2\n", 2),
    (HEADER + b"1626993367,1,1,up,2\n", 2),
    (HEADER + b"1626993367,1,1,bid,2\n", 2),
    (HEADER + b"1626993367,1,1,buy\n", 2),
    (HEADER + b"1626993367,1,1,buy,2,3\n", 2),
    (HEADER + b'1626993367,1,1,buy,"2\n', 2),
    (b"time,price,side\n1,2,buy\n", 1),
    (b"price,size\n1,2\n", 1),
    (b"time,price,size,price\n1,2,3,4\n", 1),
    (b'{"time":1626993367,"price":1,"size":1}\n{"time":1626993367,"price":1}\n', 2),
    (b'{"time":1626993367,"price":1,"size":1\n', 1),
    (b'{"time":1626993367,"price":[1],"size":1}\n', 1),
    (b'{"time":1626993367,"price":true,"size":1}\n', 1),
    (b'{"time":1626993367,"price":1,"size":1}\n[1]\n', 2),
    (b'{"time":1626993367,"price":1,"size":1} x\n', 1),
]
ACCEPTED = [  # A file, and how many trades it has: nothing, or as good as nothing.
    (HEADER, 0), (b"\xef\xbb\xbf\r\n \t\n" + HEADER, 0), (HEADER + GOOD.rstrip(), 1), (HEADER + b"\r\n" + GOOD + b" \r\n\n", 1),
    (b"\xef\xbb\xbf" + b'{"time":1626993367,"price":1,"size":1}', 1), (HEADER + GOOD + GOOD, 1), (HEADER + GOOD[:-2] + b"\n" + GOOD[:-2] + b"\n", 2),
]


NOTHING = [b"", b"\n\n", b" \t\r\n", b"\xef\xbb\xbf", gzip.compress(b"\n")]  # No file of anything.


def ask(bitpal, folder, data, end, interval):
    path = os.path.join(folder, "trades" + end)
    with open(path, "wb") as file:
        file.write(data)
    run = subprocess.run([bitpal, "candles", "--from-trades", path, "--interval", interval, "--json"], capture_output=True)
    return run.returncode, run.stdout.decode(), run.stderr.decode(), path


def fail(text):
    print(text)
    sys.exit(1)


def main():
    bitpal = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    compared = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(seed, seed + count):
            trades, interval, (data, end) = a_file(random.Random(number))
            status, out, err, path = ask(bitpal, folder, data, end, interval)
            if status:
                fail(f"seed {number}: {err}")
            rows = [json.loads(line) for line in out.splitlines()]
            for row in rows:
                row.pop("venue")
            wanted = candles(trades, interval)
            for found, right in zip(rows, wanted):
                if found != right:
                    fail(f"seed {number}: {found} is not {right}")
            if len(rows) != len(wanted):
                fail(f"seed {number}: {len(rows)} candles instead of {len(wanted)}")
            compared += len(rows)
        for data, line in REFUSED:
            status, out, err, path = ask(bitpal, folder, data, ".csv", "1m")
            if status != 1 or out or err.count("\n") != 1 or f"{path}:{line}:" not in err:
                fail(f"{data!r} is not refused at line {line}: {status} {out!r} {err!r}")
        for data in NOTHING:
            status, out, err, path = ask(bitpal, folder, data, ".csv", "1m")
            if status != 1 or out or f"{path}: the file holds nothing" not in err:
                fail(f"{data!r} is not refused: {status} {out!r} {err!r}")
        for data, trades in ACCEPTED:
            status, out, err, path = ask(bitpal, folder, data, ".csv", "1m")
            found = sum(json.loads(line)["trades"] for line in out.splitlines())
            if status or found != trades:
                fail(f"{data!r} has {found} trades instead of {trades}: {status} {err!r}")
    print(f"{compared} candles of {count} files are exact, {len(REFUSED)} bad files are refused at their line, {len(ACCEPTED)} empty ones are none")


main()
