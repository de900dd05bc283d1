"""The page's arithmetic, in Chromium, beside Python's exact decimals."""

import decimal
import os
import random
import unittest

import browser
from browser import go

CASES = 20_000 if os.environ.get("SOAK") else 200

ARITHMETIC = """
    const [cases, done] = arguments;
    Promise.all([import('/app/decimal.js'), import('/app/format.js')]).then(([decimal, format]) => done(cases.map(
      ([a, b, places]) => [decimal.add(a, b), decimal.subtract(a, b), decimal.multiply(a, b),
        decimal.divide(a, b, places), decimal.round(a, places), String(decimal.compare(a, b)),
        String(decimal.sign(a)), decimal.snap(a, '0.5', true), format.number(a)])));
"""
TYPED = """
    const [cases, done] = arguments;
    import('/app/format.js').then((format) => done(cases.map(
      (text) => [format.plain(format.number(text)), format.plain(format.typed(text))])));
"""
PLAIN = """
    const [texts, done] = arguments;
    import('/app/format.js').then((format) => done(texts.map((text) => format.plain(text))));
"""
QUICK = """
    const [lines, done] = arguments;
    import('/app/portfolio/quick-entry.js').then((module) => done(lines.map(
      (line) => module.parseQuick(line).fault ?? null)));
"""
INDICATORS = """
    const [values, done] = arguments;
    import('/app/instrument/indicators.js').then((module) => done([module.sma(values, 5), module.ema(values, 5),
      module.bollinger(values, 5, 2).map((band) => band && band.upper), module.rsi(values, 5),
      module.macd(values, 3, 6, 4).map((lines) => lines && lines.macd)]));
"""


def exact(value, places):
    """As the page writes it: plain, with so many places, zero without a sign."""
    text = f"{value:.{places}f}"
    return text[1:] if text.startswith("-") and not float(text) else text


def places_of(text):
    return len(text.split(".")[1]) if "." in text else 0


def half_even(value, places):
    return exact(value.quantize(decimal.Decimal(1).scaleb(-places), decimal.ROUND_HALF_EVEN), places)


def some_decimal(random_numbers):
    digits = random_numbers.randint(1, 24)
    units = random_numbers.randrange(10 ** digits)
    places = random_numbers.randint(0, 12)
    sign = random_numbers.choice(["", "", "-"])
    whole = str(units).rjust(places + 1, "0")
    text = whole[: len(whole) - places] + ("." + whole[len(whole) - places :] if places else "")
    return sign + text


def expected(a, b, places):
    left, right = decimal.Decimal(a), decimal.Decimal(b)
    scale = max(places_of(a), places_of(b))
    step = decimal.Decimal("0.5")
    whole = (left / step).to_integral_value(decimal.ROUND_DOWN) * step
    snapped = whole if whole == left else whole + step
    grouped = f"{abs(left):,f}"
    return [
        exact(left + right, scale), exact(left - right, scale),
        exact(left * right, places_of(a) + places_of(b)),
        half_even(left / right, places) if right else None, half_even(left, places),
        str((left > right) - (left < right)), str((left > 0) - (left < 0)),
        exact(snapped, max(places_of(a), 1)), ("-" if a.startswith("-") else "") + grouped,
    ]


class Exact(unittest.TestCase):
    def setUp(self):
        self.driver = browser.open_browser()
        self.addCleanup(self.driver.quit)
        go(self.driver, "/about")

    def test_digits_are_exact(self):
        seed = int(os.environ.get("SEED", "6"))
        numbers = random.Random(seed)
        cases = [[some_decimal(numbers), some_decimal(numbers), numbers.randint(0, 10)] for _ in range(CASES)]
        cases += [["0.5", "2", 0], ["1.5", "1", 0], ["-0.5", "1", 0], ["7", "0", 2], ["-0.0", "0", 1]]
        with decimal.localcontext() as context:
            context.prec = 120
            found = self.driver.execute_async_script(ARITHMETIC, cases)
            for case, result in zip(cases, found):
                self.assertEqual(result, expected(*case), f"seed {seed}: {case}")

    def test_indicators_have_the_definitions_of_the_services(self):
        values = [100.0, 101.5, 99.0, 98.5, 102.0, 104.0, 103.0, 105.5, 107.0, 104.5, 106.0, 108.0]
        found = self.driver.execute_async_script(INDICATORS, values)
        wanted = [sma(values, 5), ema(values, 5), upper_band(values, 5), rsi(values, 5), macd(values, 3, 6, 4)]
        for name, ours, theirs in zip(["sma", "ema", "bollinger", "rsi", "macd"], found, wanted):
            self.assertEqual([one is None for one in ours], [one is None for one in theirs], name)
            for one, other in zip(ours, theirs):
                if one is not None:
                    self.assertAlmostEqual(one, other, 9, name)


    def test_a_number_is_read_as_the_language_writes_it(self):
        for language in ["en", "de", "es", "ja"]:
            self.driver.execute_script(
                "localStorage.setItem('bitpal.settings', JSON.stringify({ locale: arguments[0] }))", language)
            go(self.driver, "/about")
            numbers = random.Random(7)
            cases = [some_decimal(numbers) for _ in range(CASES)]
            found = self.driver.execute_async_script(TYPED, cases)
            for case, (shown, typed) in zip(cases, found):
                self.assertEqual(typed, case, language)
                # What the page shows may be typed as well, but for what could be thousands or thousandths.
                self.assertTrue(shown == case or shown.endswith(" ?"), f"{language}: {case} is read as {shown}")
        self.driver.execute_script("localStorage.setItem('bitpal.settings', JSON.stringify({ locale: 'de' }))")
        go(self.driver, "/about")
        texts = {
            "60.000,5": "60000.5", "60000,5": "60000.5", "60.5": "60.5", "0,25": "0.25", "1.234.567,8": "1234567.8",
            "abc": "abc", "1.2.3": "1.2.3", "": "", "0.100": "0.100", "0.512": "0.512", "12,345": "12.345",
            "6000.50": "6000.50", "1234.567": "1234.567", "12.345": "12.345 ?", "60.000": "60.000 ?", "-1.500": "-1.500 ?",
        }
        self.assertEqual(self.driver.execute_async_script(PLAIN, list(texts)), list(texts.values()))
        self.driver.execute_script("localStorage.setItem('bitpal.settings', JSON.stringify({ locale: 'en' }))")
        go(self.driver, "/about")
        texts = {"60,000.5": "60000.5", "0,125": "0.125", "1,234,567": "1234567", "12.345": "12.345", "1,500": "1,500 ?"}
        self.assertEqual(self.driver.execute_async_script(PLAIN, list(texts)), list(texts.values()))
        days = {"2026-01-31": None, "31.12.2025": "date", "01/02/2026": "date", "2026-1-5": "date", "2026-02-30": "date"}
        lines = [f"buy 0.1 BTC 6000 USD {day}" for day in days]
        self.assertEqual(self.driver.execute_async_script(QUICK, lines), list(days.values()))


# The same once more, each straight from its formula.

def sma(values, period):
    return [None if i < period - 1 else sum(values[i - period + 1 : i + 1]) / period for i in range(len(values))]


def ema(values, period):
    means = [None] * len(values)
    if len(values) >= period:
        means[period - 1] = sum(values[:period]) / period
    for i in range(period, len(values)):
        means[i] = values[i] * 2 / (period + 1) + means[i - 1] * (1 - 2 / (period + 1))
    return means


def upper_band(values, period):
    bands = []
    for i, mean in enumerate(sma(values, period)):
        window = values[max(0, i - period + 1) : i + 1]
        bands.append(None if mean is None else mean + 2 * (sum((one - mean) ** 2 for one in window) / period) ** 0.5)
    return bands


def rsi(values, period):
    changes = [b - a for a, b in zip(values, values[1:])]
    strength, gain, loss = [None] * len(values), 0.0, 0.0
    for i in range(period, len(values)):
        if i == period:
            gain = sum(max(one, 0) for one in changes[:period]) / period
            loss = sum(max(-one, 0) for one in changes[:period]) / period
        else:
            gain = (gain * (period - 1) + max(changes[i - 1], 0)) / period
            loss = (loss * (period - 1) + max(-changes[i - 1], 0)) / period
        strength[i] = 100 * gain / (gain + loss)
    return strength


def macd(values, fast, slow, signal):
    later = [None] * (slow - fast) + ema(values[slow - fast :], fast)
    lines = [None if a is None or b is None else a - b for a, b in zip(later, ema(values, slow))]
    first = next(i for i, line in enumerate(lines) if line is not None)
    return [line if i >= first + signal - 1 else None for i, line in enumerate(lines)]


if __name__ == "__main__":
    unittest.main(verbosity=2)
