#!/usr/bin/env python3
"""Compares `bitpal indicator` with TA-Lib on random candles; needs the Python packages TA-Lib and numpy.

usage: check_indicators.py BITPAL [SEEDS]

Every value must agree within 1e-9, absolutely or relatively to the price, and begin at the same candle.
"""
import json
import random
import subprocess
import sys
import tempfile

try:
    import numpy
    import talib
except ImportError as error:
    print(f"SKIPPED: {error}; `pip install TA-Lib numpy` makes this check possible", file=sys.stderr)
    sys.exit(0)


def candles(generator):
    """A random walk at the size of a real market, with flat stretches."""
    close = generator.choice([0.00001814, 1.0, 354.1, 61800.0])
    rows = []
    for number in range(generator.choice([40, 300, 2000])):
        opened = close
        close = round(close * (1 + generator.gauss(0, 0.002)), 8) if generator.randrange(10) else close
        high = round(max(opened, close) * (1 + abs(generator.gauss(0, 0.001)) * generator.randrange(2)), 8)
        low = round(min(opened, close) * (1 - abs(generator.gauss(0, 0.001)) * generator.randrange(2)), 8)
        rows.append((opened, high, low, close, round(generator.random() * 100, 3)))
    return rows


def cases(generator, o, h, l, c, v):
    period = generator.choice([2, 3, 5, 14, 20, 30])
    fast = generator.randrange(2, 15)
    slow = fast + generator.randrange(1, 20)
    signal = generator.randrange(1, 12)
    deviations = generator.choice([1.0, 2.0, 2.5])
    p = ["--period", str(period)]
    yield "sma", p, {"value": talib.SMA(c, period)}
    yield "ema", p, {"value": talib.EMA(c, period)}
    yield "wma", p, {"value": talib.WMA(c, period)}
    yield "stddev", p, {"value": talib.STDDEV(c, period)}
    yield "roc", p, {"value": talib.ROC(c, period)}
    yield "momentum", p, {"value": talib.MOM(c, period)}
    yield "rsi", p, {"value": talib.RSI(c, period)}
    yield "atr", p, {"value": talib.ATR(h, l, c, period)}
    yield "cci", p, {"value": talib.CCI(h, l, c, period)}
    yield "williams", p, {"value": talib.WILLR(h, l, c, period)}
    yield "obv", [], {"value": talib.OBV(c, v)}
    macd = talib.MACD(c, fast, slow, signal)
    yield "macd", ["--fast", str(fast), "--slow", str(slow), "--signal", str(signal)], dict(
        zip(("macd", "signal", "histogram"), macd))
    bands = talib.BBANDS(c, period, deviations, deviations)
    yield "bollinger", p + ["--deviations", str(deviations)], dict(zip(("upper", "middle", "lower"), bands))
    lines = talib.STOCH(h, l, c, period, 3, 0, signal, 0)
    yield "stochastic", p + ["--smoothing", "3", "--signal", str(signal)], dict(zip(("k", "d"), lines))


def main():
    bitpal = sys.argv[1]
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    compared, worst, worst_relative, equal = {}, {}, {}, {}
    for seed in range(seeds):
        generator = random.Random(seed)
        rows = candles(generator)
        columns = [numpy.array(column, dtype=float) for column in zip(*rows)]
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            for number, (o, h, l, c, v) in enumerate(rows):
                row = {"start": 1_700_000_000 + 60 * number, "open": str(o), "high": str(h), "low": str(l),
                       "close": format(c, ".8f"), "volume": str(v)}
                file.write(json.dumps(row) + "\n")
            file.flush()
            for name, options, expected in cases(generator, *columns):
                run = subprocess.run([bitpal, "indicator", name, "--candles", file.name, "--json", *options],
                                     capture_output=True, text=True)
                if run.returncode != 0:
                    sys.exit(run.stderr)
                found = [json.loads(line) for line in run.stdout.splitlines()]
                for column, values in expected.items():
                    for place, value in enumerate(values):
                        own = found[place][column]
                        if (own is None) != bool(numpy.isnan(value)):
                            sys.exit(f"{name}.{column} seed {seed} candle {place}: TA-Lib {value}, ours {own}")
                        if own is None:
                            continue
                        difference = abs(float(own) - value)
                        relative = difference / max(abs(value), 1e-300)
                        if difference > 1e-9 and relative > 1e-9:
                            sys.exit(f"{name}.{column} {options} seed {seed} candle {place}: TA-Lib {value!r}, ours {own}")
                        compared[name] = compared.get(name, 0) + 1
                        equal[name] = equal.get(name, 0) + (difference == 0)
                        worst[name] = max(worst.get(name, 0), difference)
    print(f"TA-Lib {talib.__version__}, {seeds} seeds")
    for name in compared:
        print(f"{name:12} {compared[name]:8} values, {100 * equal[name] / compared[name]:5.1f} % identical, "
              f"worst difference {worst[name]:.2e}")


if __name__ == "__main__":
    main()
