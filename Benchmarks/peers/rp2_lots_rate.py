"""Measures how many transactions a second rp2 1.7.2 turns into lots by FIFO, and writes .build/bench/rp2.json.

Run it with the environment of Tests/Tools/portfolio-peers/run:
    .build/portfolio-peers/venv/bin/python Benchmarks/peers/rp2_lots_rate.py
"""

import json
import logging
import random
import sys
import tempfile
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Tools/portfolio-peers"))

from rp2_lots import INI, METHODS, US, AVLTree, AccountingEngine, Configuration, InputData, InTransaction
from rp2_lots import OutTransaction, RP2Decimal, TransactionSet, compute_tax

COUNT = 10_000


def main():
    """One asset, two purchases to one sale, as in PortfolioBench."""
    logging.disable(logging.CRITICAL)
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        ini = Path(folder) / "rate.ini"
        ini.write_text(INI, encoding="utf-8")
        configuration = Configuration(str(ini), US())
    sets = [TransactionSet(configuration, kind, "B1") for kind in ("IN", "OUT", "INTRA")]
    now, held = datetime(2015, 1, 1, tzinfo=timezone.utc), 0
    for number in range(COUNT):
        now += timedelta(minutes=37)
        stamp = now.strftime("%Y-%m-%d %H:%M:%S %z")
        price = RP2Decimal(str(100 + rng.randint(0, 5_000) / 100))
        if held < 2 or rng.random() < 0.66:
            units = rng.randint(1, 500_000_000)
            sets[0].add_entry(InTransaction(
                configuration, stamp, "B1", "E1", "Bob", "BUY", price, RP2Decimal(units) / RP2Decimal(10**8),
                fiat_fee=RP2Decimal("0.5"), row=number + 1))
            held += units
        else:
            units = rng.randint(1, held - 1)
            sets[1].add_entry(OutTransaction(
                configuration, stamp, "B1", "E1", "Bob", "SELL", price, RP2Decimal(units) / RP2Decimal(10**8),
                RP2Decimal(0), row=number + 1))
            held -= units
    data = InputData("B1", *sets)
    tree = AVLTree()
    tree.insert_node(1970, METHODS["fifo"].AccountingMethod())
    started = time.monotonic()
    pieces = sum(1 for _ in compute_tax(configuration, AccountingEngine(tree), data).gain_loss_set)
    rate = COUNT / (time.monotonic() - started)
    output = ROOT / ".build/bench/rp2.json"
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps({"rp2TransactionsPerSecond": rate}), encoding="utf-8")
    print(f"rp2 1.7.2: {COUNT} transactions, {pieces} pieces of lots, {rate:.0f} transactions/s")


if __name__ == "__main__":
    main()
