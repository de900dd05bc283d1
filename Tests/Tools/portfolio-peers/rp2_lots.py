"""Compares lots, costs, gains and holding periods with rp2, event by event.

Ledgers come from rp2's sample spreadsheets and from a generator; each is given to rp2 as its own transactions
and to bitpal as CSV. rp2 counts a sale's coin fee as part of the sale, bitpal as a disposal of its own, so an
event's pieces are added up per lot before they are compared. rp2 calls 365 days long, bitpal more than 365.
Its countries differ in currency and in that number of days, which is `--long-term-days` here; the generic one
takes both from its environment.

The samples let a wallet give what it does not have yet, which bitpal refuses, so all their wallets are one here.
rp2 1.7.2 can forget the rest of a lot in HIFO, LOFO and LIFO (it decides whether to keep the lot by the wrong
remainder, `get_next_taxable_event_and_amount`). Where it departs from bitpal, the rule itself, applied by looking
at every lot each time, says who is right; such ledgers are counted apart.
"""

import argparse
import csv
import json
import logging
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from datetime import datetime, timedelta, timezone
from decimal import Decimal, getcontext
from pathlib import Path

from prezzemolo.avl_tree import AVLTree
from rp2.accounting_engine import AccountingEngine
from rp2.configuration import Configuration
from rp2.in_transaction import InTransaction
from rp2.input_data import InputData
from rp2.intra_transaction import IntraTransaction
from rp2.ods_parser import open_ods, parse_ods
from rp2.out_transaction import OutTransaction
from rp2.plugin.accounting_method import fifo, hifo, lifo, lofo
from rp2.plugin.country.es import ES
from rp2.plugin.country.generic import Generic
from rp2.plugin.country.ie import IE
from rp2.plugin.country.jp import JP
from rp2.plugin.country.us import US
from rp2.rp2_decimal import RP2Decimal
from rp2.tax_engine import compute_tax
from rp2.transaction_set import TransactionSet

METHODS = {"fifo": fifo, "lifo": lifo, "hifo": hifo, "lofo": lofo}
HEADER = (
    "time,kind,wallet,to_wallet,asset,amount,counter_asset,counter_amount,fee_asset,fee_amount,external_id,note"
).split(",")
EARN = {
    "AIRDROP": "airdrop", "HARDFORK": "fork", "INCOME": "income", "INTEREST": "interest", "MINING": "mining",
    "STAKING": "staking", "WAGES": "income",
}
TOLERANCE = Decimal("1e-9")


def generic(currency, days):
    """rp2's country of anybody."""
    os.environ.update(CURRENCY_CODE=currency, LONG_TERM_CAPITAL_GAINS=str(days))
    return Generic()


def long_term_days(country):
    """`--long-term-days` for a country; none of its gains is long when its period is the largest number."""
    days = country.get_long_term_capital_gain_period()
    return "never" if days == sys.maxsize else str(days)


INI = """[general]
assets = B1
exchanges = E1, E2, E3
holders = Bob

[in_header]
timestamp = 0
asset = 1
exchange = 2
holder = 3
transaction_type = 4
spot_price = 5
crypto_in = 6
crypto_fee = 7
fiat_in_no_fee = 8
fiat_in_with_fee = 9
fiat_fee = 10
unique_id = 11
notes = 12

[out_header]
timestamp = 0
asset = 1
exchange = 2
holder = 3
transaction_type = 4
spot_price = 5
crypto_out_no_fee = 6
crypto_fee = 7
crypto_out_with_fee = 8
fiat_out_no_fee = 9
fiat_fee = 10
unique_id = 11
notes = 12

[intra_header]
timestamp = 0
asset = 1
from_exchange = 2
from_holder = 3
to_exchange = 4
to_holder = 5
spot_price = 6
crypto_sent = 7
crypto_received = 8
unique_id = 9
notes = 10
"""


def text(number):
    """A plain decimal."""
    return f"{Decimal(str(number)):f}"


def by_rule(data, method):
    """Amounts by (event, lot time): of all lots there are, the first by the method's order."""
    order = {
        "fifo": lambda lot: (lot[0].timestamp, lot[0].row), "lifo": lambda lot: (-lot[0].timestamp.timestamp(), -lot[0].row),
        "hifo": lambda lot: (-Decimal(str(lot[0].spot_price)), lot[0].timestamp, lot[0].row),
        "lofo": lambda lot: (Decimal(str(lot[0].spot_price)), lot[0].timestamp, lot[0].row),
    }[method]
    lots = [[entry, Decimal(str(entry.crypto_in))] for entry in data.unfiltered_in_transaction_set]
    events = [("out", entry) for entry in data.unfiltered_out_transaction_set]
    events += [("intra", entry) for entry in data.unfiltered_intra_transaction_set if entry.is_taxable()]
    taken = defaultdict(Decimal)
    for place, event in sorted(events, key=lambda item: (item[1].timestamp, item[1].row)):
        left = Decimal(str(event.crypto_balance_change if place == "out" else event.crypto_fee))
        while left > 0:
            lot = min((lot for lot in lots if lot[1] > 0 and lot[0].timestamp <= event.timestamp), key=order)
            part = min(left, lot[1])
            lot[1] -= part
            left -= part
            key = (f"{place} {event.asset} {event.internal_id}", lot[0].timestamp.astimezone(timezone.utc))
            taken[key] += part
    return dict(taken)


def merged(rows):
    """The same rows with all wallets one: a move is only its fee."""
    for row in rows:
        row = dict(row, wallet="All", to_wallet="")
        if row["kind"] == "transfer":
            if not row["fee_amount"]:
                continue
            worth = Decimal(row["counter_amount"]) * Decimal(row["fee_amount"]) / Decimal(row["amount"])
            row.update(
                kind="fee", amount=row["fee_amount"], counter_amount=text(worth), fee_asset="", fee_amount="")
        yield row


def rows_of(data, currency="USD"):
    """rp2's transactions of one asset as rows of ours, named by rp2's internal ids."""
    for entry in data.unfiltered_in_transaction_set:
        kind = entry.transaction_type.name
        row = dict.fromkeys(HEADER, "")
        row.update(
            time=entry.timestamp.isoformat(), wallet=f"{entry.exchange}/{entry.holder}", asset=entry.asset,
            amount=text(entry.crypto_in), counter_asset=currency, counter_amount=text(entry.fiat_in_no_fee),
            external_id=f"in {entry.asset} {entry.internal_id}")
        fee = Decimal(str(entry.fiat_in_with_fee)) - Decimal(str(entry.fiat_in_no_fee))
        if kind == "BUY":
            row["kind"] = "buy"
            if fee > 0:
                row.update(fee_asset=currency, fee_amount=text(fee))
        else:
            row["kind"] = EARN.get(kind, "gift_in")
            row["counter_amount"] = text(entry.fiat_in_with_fee)
        yield row
    for entry in data.unfiltered_out_transaction_set:
        row = dict.fromkeys(HEADER, "")
        row.update(
            time=entry.timestamp.isoformat(), wallet=f"{entry.exchange}/{entry.holder}", asset=entry.asset,
            counter_asset=currency, external_id=f"out {entry.asset} {entry.internal_id}")
        if entry.transaction_type.name == "FEE":
            row.update(kind="fee", amount=text(entry.crypto_fee), counter_amount=text(entry.fiat_fee))
        else:
            kind = "sell" if entry.transaction_type.name == "SELL" else "spend"
            row.update(
                kind=kind, amount=text(entry.crypto_out_no_fee), counter_amount=text(entry.fiat_out_no_fee))
            if Decimal(str(entry.crypto_fee)) > 0:
                row.update(fee_asset=entry.asset, fee_amount=text(entry.crypto_fee))
        yield row
    for entry in data.unfiltered_intra_transaction_set:
        sender = f"{entry.from_exchange}/{entry.from_holder}"
        receiver = f"{entry.to_exchange}/{entry.to_holder}"
        fee = Decimal(str(entry.crypto_sent)) - Decimal(str(entry.crypto_received))
        row = dict.fromkeys(HEADER, "")
        row.update(
            time=entry.timestamp.isoformat(), wallet=sender, asset=entry.asset, counter_asset=currency,
            external_id=f"intra {entry.asset} {entry.internal_id}")
        if Decimal(str(entry.crypto_received)) == 0 or sender == receiver:
            if fee == 0:
                continue
            row.update(kind="fee", amount=text(fee), counter_amount=text(fee * Decimal(str(entry.spot_price))))
        else:
            worth = Decimal(str(entry.crypto_received)) * Decimal(str(entry.spot_price or 0))
            row.update(
                kind="transfer", to_wallet=receiver, amount=text(entry.crypto_received),
                counter_amount=text(worth))
            if fee > 0:
                row.update(fee_asset=entry.asset, fee_amount=text(fee))
        yield row


def prices_are_what_was_paid(data):
    """Whether each lot's spot price is its cost without fee over its amount, to a millionth."""
    return all(
        abs(Decimal(str(lot.spot_price)) * Decimal(str(lot.crypto_in)) - Decimal(str(lot.fiat_in_no_fee)))
        <= Decimal(str(lot.fiat_in_no_fee)) / 1_000_000 for lot in data.unfiltered_in_transaction_set)


def theirs(configuration, data, method):
    """rp2's pieces: (event, lot time) -> [amount, cost, gain, long]."""
    tree = AVLTree()
    tree.insert_node(1970, METHODS[method].AccountingMethod())
    computed = compute_tax(configuration, AccountingEngine(tree), data)
    pieces = defaultdict(lambda: [Decimal(0), Decimal(0), Decimal(0), False])
    for piece in computed.gain_loss_set:
        if piece.acquired_lot is None:
            continue
        event = piece.taxable_event
        place = {"InTransaction": "in", "OutTransaction": "out"}.get(type(event).__name__, "intra")
        key = (f"{place} {event.asset} {event.internal_id}", piece.acquired_lot.timestamp.astimezone(timezone.utc))
        pieces[key][0] += Decimal(str(piece.crypto_amount))
        pieces[key][1] += Decimal(str(piece.fiat_cost_basis))
        pieces[key][2] += Decimal(str(piece.fiat_gain))
        pieces[key][3] = piece.is_long_term_capital_gains()
    return pieces


def instant(value):
    """A time as bitpal writes it."""
    return datetime.fromisoformat(value.replace("Z", "+00:00"))


def ours(bitpal, rows, method, folder, country):
    """bitpal's pieces in the same form, and the value of coin fees that no proceeds were reduced by."""
    ledger = Path(folder) / "ledger.csv"
    with open(ledger, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, HEADER)
        writer.writeheader()
        writer.writerows(rows)
    started = time.monotonic()
    result = subprocess.run(
        [
            bitpal, "portfolio", "report", "--ledger", ledger, "--method", method, "--json",
            "--base", country.currency_iso_code.upper(), "--long-term-days", long_term_days(country),
        ],
        capture_output=True, text=True, check=False)
    elapsed = time.monotonic() - started
    if result.returncode != 0:
        raise RuntimeError(result.stderr.strip())
    report = json.loads(result.stdout)
    pieces = defaultdict(lambda: [Decimal(0), Decimal(0), Decimal(0), False])
    extra = defaultdict(Decimal)
    kinds = {row["external_id"]: row["kind"] for row in rows}
    for disposal in report["disposals"]:
        name = disposal["external_id"]
        if disposal["kind"] == "fee" and kinds[name] == "spend":
            extra[name] += Decimal(disposal["proceeds"])
        for lot in disposal["lots"]:
            key = (name, instant(lot["acquired"]).astimezone(timezone.utc))
            pieces[key][0] += Decimal(lot["amount"])
            pieces[key][1] += Decimal(lot["cost_basis"])
            pieces[key][2] += Decimal(lot["gain"])
            pieces[key][3] = lot["term"] == "long"
    return pieces, extra, elapsed


class Tally:
    """What was compared, and what differed."""

    def __init__(self):
        self.pieces = 0
        self.events = 0
        self.long = 0
        self.faults = []
        self.forgotten = []
        self.largest = Decimal(0)
        self.rp2_seconds = 0.0
        self.bitpal_seconds = 0.0

    def near(self, left, right, what):
        """Whether both are equal but for rp2's rounding to 28 digits."""
        difference = abs(left - right)
        self.largest = max(self.largest, difference)
        if difference > TOLERANCE * max(1, abs(right)):
            self.faults.append(f"{what}: bitpal {left}, rp2 {right}")


def compare(name, configurations, datas, method, bitpal, tally, folder, is_merged=False):
    """All assets of one ledger by one method."""
    country = configurations[0].country
    rows = [row for data in datas for row in rows_of(data, country.currency_iso_code.upper())]
    if is_merged:
        rows = list(merged(rows))
    started = time.monotonic()
    expected = {}
    for configuration, data in zip(configurations, datas):
        expected.update(theirs(configuration, data, method))
    tally.rp2_seconds += time.monotonic() - started
    found, extra, elapsed = ours(bitpal, rows, method, folder, country)
    tally.bitpal_seconds += elapsed
    where = f"{name} {method}"
    if {key: piece[0] for key, piece in found.items()} != {key: piece[0] for key, piece in expected.items()}:
        rule = {}
        for data in datas:
            rule.update(by_rule(data, method))
        if {key: piece[0] for key, piece in found.items()} == rule:
            tally.forgotten.append(where)
            return
        difference = sorted(map(str, set(found) ^ set(expected)))[:4]
        tally.faults.append(f"{where}: other lots were taken: {difference}")
        return
    gains = defaultdict(lambda: [Decimal(0), Decimal(0)])
    for key, (amount, cost, gain, is_long) in expected.items():
        tally.pieces += 1
        tally.near(found[key][0], amount, f"{where} {key} amount")
        tally.near(found[key][1], cost, f"{where} {key} cost")
        event_time = next(instant_of(row) for row in rows if row["external_id"] == key[0])
        tally.long += is_long
        boundary = None if long_term_days(country) == "never" else timedelta(
            days=country.get_long_term_capital_gain_period())
        if found[key][3] != is_long and event_time - key[1] != boundary:
            tally.faults.append(f"{where} {key} term: bitpal {found[key][3]}, rp2 {is_long}")
        gains[key[0]][0] += found[key][2]
        gains[key[0]][1] += gain
    for event, (left, right) in gains.items():
        tally.events += 1
        tally.near(left - extra[event], right, f"{where} {event} gain")


def instant_of(row):
    """The time of a row."""
    return datetime.fromisoformat(row["time"]).astimezone(timezone.utc)


def generated(seed, configuration):
    """A ledger in rp2's own form: buys, income, sales, gifts, fees and moves between three exchanges."""
    rng = random.Random(seed)
    sets = [TransactionSet(configuration, kind, "B1") for kind in ("IN", "OUT", "INTRA")]
    balances = {f"E{number}": Decimal(0) for number in (1, 2, 3)}
    now = datetime(2016, 1, 1, tzinfo=timezone.utc)
    number = 0

    def decimal(low, high, places):
        return Decimal(rng.randint(low, high)).scaleb(-places)

    while number < 60:
        number += 1
        now += timedelta(seconds=rng.choice([60, 3_600, 86_400, 864_000, 4_000_000]))
        zone = timezone(timedelta(hours=rng.randint(-8, 9)))
        stamp = now.astimezone(zone).strftime("%Y-%m-%d %H:%M:%S %z")
        # Prices repeat, so that ties are broken.
        price = rng.choice([decimal(100, 999_999, 2), Decimal(500), Decimal(1000)])
        exchange = rng.choice(list(balances))
        held = balances[exchange]
        choice = rng.random()
        if choice < 0.45 or held <= Decimal("0.001"):
            amount = decimal(1, 5_000_000_000, 8)
            kind = rng.choice(["BUY", "BUY", "BUY", "STAKING", "AIRDROP", "INTEREST"])
            fee = RP2Decimal(str(decimal(0, 5_000, 2))) if kind == "BUY" else None
            sets[0].add_entry(InTransaction(
                configuration, stamp, "B1", exchange, "Bob", kind, RP2Decimal(str(price)),
                RP2Decimal(str(amount)), fiat_fee=fee, row=number))
            balances[exchange] += amount
        elif choice < 0.8:
            amount = (held * rng.randint(1, 90) / 100).quantize(Decimal("1e-8"))
            fee = rng.choice([Decimal(0), (held / 50).quantize(Decimal("1e-8"))])
            if amount <= fee or amount + fee > held:
                continue
            kind = rng.choice(["SELL", "SELL", "SELL", "GIFT", "DONATE"])
            sets[1].add_entry(OutTransaction(
                configuration, stamp, "B1", exchange, "Bob", kind, RP2Decimal(str(price)),
                RP2Decimal(str(amount)), RP2Decimal(str(fee)), row=number))
            balances[exchange] -= amount + fee
        else:
            other = rng.choice([name for name in balances if name != exchange])
            sent = (held * rng.randint(1, 100) / 100).quantize(Decimal("1e-8"))
            sent = min(sent, held)
            received = sent - rng.choice([Decimal(0), (sent / 100).quantize(Decimal("1e-8"))])
            if received <= 0:
                continue
            sets[2].add_entry(IntraTransaction(
                configuration, stamp, "B1", exchange, "Bob", other, "Bob", RP2Decimal(str(price)),
                RP2Decimal(str(sent)), RP2Decimal(str(received)), row=number))
            balances[exchange] -= sent
            balances[other] += received
    return InputData("B1", *sets)


def main():
    """Runs everything and prints figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bitpal", required=True)
    parser.add_argument("--samples", default="")
    parser.add_argument("--seeds", type=int, default=25)
    options = parser.parse_args()
    getcontext().prec = 60
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        samples, skipped = Tally(), []
        files = sorted(Path(options.samples).glob("input/*.ods")) if options.samples else []
        for path in files:
            for config in sorted(Path(options.samples).glob("config/*.ini")):
                try:
                    configuration = Configuration(str(config), US(), allow_negative_balances=True)
                    document = open_ods(configuration, str(path))
                    datas = [parse_ods(configuration, asset, document) for asset in sorted(configuration.assets)]
                    break
                except Exception as error:  # Each sample fits one configuration only.
                    fault = error
            else:
                skipped.append(f"{path.name}: {str(fault)[:90]}")
                continue
            for method in METHODS:
                chosen = [data for data in datas if method in ("fifo", "lifo") or prices_are_what_was_paid(data)]
                if len(chosen) < len(datas):
                    skipped.append(
                        f"{path.name} {method}: {len(datas) - len(chosen)} assets whose spot price, which orders "
                        "rp2's lots, is not what was paid")
                try:
                    compare(
                        path.name, [configuration] * len(chosen), chosen, method, options.bitpal, samples, folder,
                        is_merged=True)
                except RuntimeError as error:
                    skipped.append(f"{path.name} {method}: {error}")
                except Exception as error:
                    skipped.append(f"{path.name} {method}: rp2: {str(error)[:120]}")
        ini = Path(folder) / "generated.ini"
        ini.write_text(INI, encoding="utf-8")
        ledgers = Tally()
        for seed in range(options.seeds):
            configuration = Configuration(str(ini), US())
            data = generated(seed, configuration)
            for method in METHODS:
                compare(f"seed {seed}", [configuration], [data], method, options.bitpal, ledgers, folder)
        countries = []
        for country in (US(), ES(), JP(), IE(), generic("chf", 0), generic("cad", 180), generic("eur", 3650)):
            configuration = Configuration(str(ini), country)
            tally = Tally()
            for seed in range(1_000, 1_000 + options.seeds):
                data = generated(seed, configuration)
                for method in sorted(country.get_accounting_methods() & set(METHODS)):
                    compare(f"seed {seed}", [configuration], [data], method, options.bitpal, tally, folder)
            name = f"country {country.country_iso_code} ({country.currency_iso_code}, {long_term_days(country)} days)"
            countries.append((name, tally))
    failed = False
    for name, tally in [("rp2's samples", samples), ("generated ledgers", ledgers)] + countries:
        print(
            f"rp2 1.7.2, {name}: {tally.pieces} pieces of lots, {tally.events} events, "
            f"{tally.long} long, largest difference {tally.largest:.1e}, {len(tally.faults)} differ "
            f"(rp2 {tally.rp2_seconds:.1f} s, bitpal {tally.bitpal_seconds:.1f} s with its start)")
        if tally.forgotten:
            print(
                f"  rp2 forgot the rest of a lot, bitpal follows the rule, in {len(tally.forgotten)} ledgers: "
                f"{', '.join(tally.forgotten[:6])} ...")
        for fault in tally.faults[:10]:
            print(f"  DIFFERS {fault}")
        failed |= bool(tally.faults)
    for line in skipped:
        print(f"  not compared: {line}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
