"""Compares performance figures of `bitpal portfolio report` with pyxirr, empyrical-reloaded and quantstats.

For each seed a ledger of deposits, purchases, sales and withdrawals in USD and BTC is made, with a price a day.
What each day was worth is reckoned here, from scratch; the returns of the days then go to the three libraries.
Conventions: money comes in before the day and goes out after it; 365 periods a year; no risk-free rate.
"""

import argparse
import json
import math
import random
import subprocess
import sys
import tempfile
import warnings
from datetime import datetime, timedelta, timezone
from pathlib import Path

warnings.filterwarnings("ignore")

import empyrical
import numpy
import pandas
import pyxirr
import quantstats

START = datetime(2021, 1, 1, tzinfo=timezone.utc)
HEADER = "time,kind,wallet,to_wallet,asset,amount,counter_asset,counter_amount,fee_asset,fee_amount,external_id,note"


def make(seed):
    """A ledger, its prices, and by day: value, what came in, what went out."""
    rng = random.Random(seed)
    days = rng.randint(30, 900)
    price, cash, coins = 20_000.0, 0.0, 0.0
    rows, prices, series = [], [], []
    for day in range(days):
        noon = (START + timedelta(days=day, hours=12)).isoformat()
        price = round(price * math.exp(rng.gauss(0.0005, 0.03)), 2)
        prices.append(f"{(START + timedelta(days=day)).isoformat()},BTC,USD,{price}")
        inflow = outflow = 0.0
        if day == 0 or rng.random() < 0.02:
            inflow = float(rng.randint(1_000, 20_000))
            rows.append(f"{noon},deposit,A,,USD,{inflow:.0f},,,,,,")
            cash += inflow
        if cash > 1_000 and rng.random() < 0.1:
            amount = round(cash * 0.5 / price, 6)
            cost = round(amount * price, 2)
            if amount > 0:
                rows.append(f"{noon},buy,A,,BTC,{amount:.6f},USD,{cost:.2f},USD,1,,")
                coins, cash = coins + amount, cash - cost - 1
        if coins > 0.01 and rng.random() < 0.05:
            amount = round(coins * 0.3, 6)
            brought = round(amount * price, 2)
            rows.append(f"{noon},sell,A,,BTC,{amount:.6f},USD,{brought:.2f},USD,1,,")
            coins, cash = coins - amount, cash + brought - 1
        if cash > 5_000 and rng.random() < 0.02:
            outflow = 500.0
            rows.append(f"{noon},withdrawal,A,,USD,500,,,,,,")
            cash -= outflow
        series.append((cash + coins * price, inflow, outflow))
    return rows, prices, series


def expected(series, prices):
    """What the libraries say."""
    returns, before = [], 0.0
    for value, inflow, outflow in series:
        returns.append((value + outflow) / (before + inflow) - 1)
        before = value
    index = pandas.date_range("2021-01-01", periods=len(series), freq="D")
    daily = pandas.Series(returns[1:], index=index[1:])
    closes = numpy.array([float(line.rsplit(",", 1)[1]) for line in prices])
    benchmark = pandas.Series(closes[1:] / closes[:-1] - 1, index=index[1:])
    dates = [moment.date() for moment in index] + [index[-1].date()]
    flows = [outflow - inflow for _, inflow, outflow in series] + [series[-1][0]]
    return {
        "xirr": ("pyxirr", pyxirr.xirr(dates, flows)),
        "twr": ("empyrical", empyrical.cum_returns_final(pandas.Series(returns, index=index))),
        "max_drawdown": ("empyrical", empyrical.max_drawdown(pandas.Series(returns, index=index))),
        "volatility": ("empyrical", empyrical.annual_volatility(daily, annualization=365)),
        "sharpe": ("empyrical", empyrical.sharpe_ratio(daily, annualization=365)),
        "sortino": ("empyrical", empyrical.sortino_ratio(daily, annualization=365)),
        # The first day only puts the money in: it is part of the deepest fall, and no day of a year.
        "calmar": ("empyrical", empyrical.annual_return(daily, annualization=365)
                   / -empyrical.max_drawdown(pandas.Series(returns, index=index))),
        "var_historical_95": ("empyrical", empyrical.value_at_risk(daily, cutoff=0.05)),
        "var_parametric_95": ("quantstats", quantstats.stats.value_at_risk(daily, confidence=0.95)),
        "sharpe ": ("quantstats", quantstats.stats.sharpe(daily, periods=365)),
        "sortino ": ("quantstats", quantstats.stats.sortino(daily, periods=365)),
        "volatility ": ("quantstats", quantstats.stats.volatility(daily, periods=365)),
        "beta": ("empyrical", empyrical.beta(daily, benchmark)),
        "correlation": ("numpy", numpy.corrcoef(daily, benchmark)[0, 1]),
        "volatility_range": (
            "numpy", float(numpy.std(numpy.log1p(daily), ddof=1) * math.sqrt(len(daily)))),
    }


def main():
    """Runs everything and prints figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bitpal", required=True)
    parser.add_argument("--seeds", type=int, default=25)
    options = parser.parse_args()
    largest, count, faults = {}, 0, []
    with tempfile.TemporaryDirectory() as folder:
        ledger, book = Path(folder) / "ledger.csv", Path(folder) / "prices.csv"
        for seed in range(options.seeds):
            rows, prices, series = make(seed)
            ledger.write_text("\n".join([HEADER, *rows]) + "\n", encoding="utf-8")
            book.write_text("\n".join(["time,asset,currency,price", *prices]) + "\n", encoding="utf-8")
            last = (START + timedelta(days=len(series) - 1)).date().isoformat()
            result = subprocess.run(
                [options.bitpal, "portfolio", "report", "--ledger", ledger, "--prices", book, "--as-of", last,
                 "--benchmark", "BTC", "--json"], capture_output=True, text=True, check=True)
            figures = json.loads(result.stdout)["performance"]
            figures.update(figures["benchmark"])
            for name, (library, value) in expected(series, prices).items():
                found = figures[name.strip()]
                if value is None or not math.isfinite(value):
                    continue
                count += 1
                difference = abs(float(found) - value) / max(1, abs(value))
                key = f"{name.strip()} ({library})"
                largest[key] = max(largest.get(key, 0), difference)
                if difference > 1e-9:
                    faults.append(f"seed {seed} {key}: bitpal {found}, {library} {value}")
    print(f"performance: {count} figures of {options.seeds} ledgers, {len(faults)} differ by more than 1e-9")
    for key, difference in largest.items():
        print(f"  {key}: largest difference {difference:.1e}")
    for fault in faults[:10]:
        print(f"  DIFFERS {fault}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
