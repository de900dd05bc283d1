"""An instrument's chart: what its buttons and the mouse do with it, and the alerts in it.

The installation is that of page_test.py. What is drawn is read where the page hands it to the chart's
library.
"""

import json
import unittest
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from urllib.parse import quote

from selenium.webdriver import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin

from browser import complaints, find, go, has_charts, text
from page import INSTRUMENT, PAINTED, Page, ask
from still import before, stand_still, tell

# Each range with the length of its candles in seconds, and a count and a price of its own here.
RANGES = {"1H": (60, 61, 100), "1D": (300, 96, 200), "1W": (900, 97, 300), "1M": (3600, 98, 400),
    "3M": (14_400, 99, 500), "6M": (14_400, 120, 600), "1Y": (86_400, 121, 700)}

# The library passes on what it is told, and says it: series with their data, lines of prices, and the chart.
NOTED = """
    let library;
    window.series = [];
    const noted = (chart) => {
      for (const [method, kind] of [['addCandlestickSeries', 'candles'], ['addLineSeries', 'line'],
        ['addAreaSeries', 'area'], ['addHistogramSeries', 'volume']]) {
        const add = chart[method].bind(chart);
        chart[method] = (options) => {
          const one = { kind, self: add(options), data: [], lines: [] };
          const [setData, update, createPriceLine, removePriceLine] = ['setData', 'update', 'createPriceLine',
            'removePriceLine'].map((name) => one.self[name].bind(one.self));
          one.self.setData = (data) => (one.data = data.map((dot) => ({ ...dot })), setData(data));
          one.self.update = (dot) => {
            if (one.data.at(-1)?.time === dot.time) one.data.pop();
            one.data.push({ ...dot });
            update(dot);
          };
          one.self.createPriceLine = (about) => {
            const line = createPriceLine(about);
            one.lines.push({ line, price: about.price, title: about.title });
            return line;
          };
          one.self.removePriceLine = (line) => {
            one.lines = one.lines.filter((other) => other.line !== line);
            removePriceLine(line);
          };
          window.series.push(one);
          return one.self;
        };
      }
      const remove = chart.removeSeries.bind(chart);
      chart.removeSeries = (self) => {
        window.series = window.series.filter((one) => one.self !== self);
        remove(self);
      };
      window.chart = chart;
      return chart;
    };
    window.panes = [];
    const pane = (chart) => {
      const remove = chart.remove.bind(chart);
      chart.remove = () => {
        window.panes = window.panes.filter((one) => one !== chart);
        remove();
      };
      window.panes.push(chart);
      return chart;
    };
    Object.defineProperty(window, 'LightweightCharts', { get: () => library, set: (given) => {
      library = { ...given, createChart: (...all) => (window.chart ? pane(given.createChart(...all))
        : noted(given.createChart(...all))) };
    } });
"""
# Candles of a range go up and down by one; of those before them there are so many more pages as `pages` says.
CANDLES = """
    const ranges = %s;
    const fetched = window.fetch;
    window.pages = %d;
    const candle = (seconds, index, base, end) => ({
      start: new Date(end - index * seconds * 1000).toISOString(), open: `${base}.0`,
      close: `${base + 1 - index %% 2 * 2}.5`, high: `${base + 3}.0`, low: `${base - 3}.0`,
      volume: String(7 + index), trades: 1, complete: true, amended: false });
    window.fetch = async (address, options) => {
      const found = new URL(address, location.href);
      if (!found.pathname.startsWith('/v1/candles/')) return fetched(address, options);
      // What the page asks when its stream is connected anew.
      const of = (name) => found.searchParams.get(name);
      const isLive = found.searchParams.has('live');
      if (isLive && of('limit') === '500') return Response.json({ interval: '5m', items: [], next: null });
      const [range, to] = [of('range'), of('to')];
      const [seconds, count, base] = isLive ? [{ '15m': 900, '1w': 604800 }[of('interval')], Number(of('limit')), 800]
        : ranges[range ?? '1D'];
      const end = to ? Date.parse(to) - seconds * 1000 : Date.parse('2026-01-31T12:00:00Z');
      if (to && (window.pages -= 1) < 0) return Response.json({ interval: '5m', items: [] });
      const items = Array.from({ length: count }, (_, index) => candle(seconds, index, base, end)).reverse();
      const interval = { 60: '1m', 300: '5m', 900: '15m', 3600: '1h', 14400: '4h', 86400: '1d',
        604800: '1w' }[seconds];
      return Response.json({ interval, items, next: null });
    };
"""
DRAWN = """
    return window.series.map(({ kind, data, lines }) => ({ kind, data,
      lines: lines.map(({ line, title }) => [line.options().price, title]) }));
"""
# Where the same candle is in each chart, the price's first, from the left edge of all of them.
PLACES = """
    const time = window.series.find(({ kind }) => kind === 'candles').data.at(arguments[0]).time;
    return [window.chart, ...window.panes].map((chart) => chart.timeScale().timeToCoordinate(time));
"""
# The name of what is kept as a file, the size of the picture, and how many colours it has.
KEPT = """
    const whole = HTMLCanvasElement.prototype.toBlob;
    let about;
    HTMLCanvasElement.prototype.toBlob = function (...all) {
      const { data } = this.getContext('2d').getImageData(0, 0, this.width, this.height);
      about = [this.width, this.height, new Set(new Uint32Array(data.buffer)).size];
      whole.apply(this, all);
    };
    HTMLAnchorElement.prototype.click = function () { window.kept = [this.download, ...about]; };
"""
SEEN = "const { from, to } = window.chart.timeScale().getVisibleLogicalRange(); return [from, to]"
# The prices so far above the chart's middle and a pixel below, by the library.
PRICES = """
    const { self } = window.series.find(({ kind }) => kind !== 'volume');
    const middle = document.querySelector('.chart-canvas').getBoundingClientRect().height / 2;
    return [0, 1].map((below) => self.coordinateToPrice(middle - arguments[0] + below));
"""


@unittest.skipUnless(has_charts(), "the chart library is not there")
class Chart(Page):
    """Candles that stand still."""

    def show(self, pages=0):
        before(self.driver, NOTED)
        before(self.driver, CANDLES % (json.dumps(RANGES), pages))
        stand_still(self.driver, {"candles": None})
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.wait(lambda: self.drawn("candles"), "candles")

    def drawn(self, kind):
        """The data of the only series of a kind; None where there is none with data."""
        found = [one["data"] for one in self.driver.execute_script(DRAWN) if one["kind"] == kind]
        return found[0] if len(found) == 1 and found[0] else None

    def lines(self):
        """Prices and titles of the alerts' lines across the chart."""
        return sorted(line for one in self.driver.execute_script(DRAWN) for line in one["lines"] if line[1])

    def tag(self):
        """Where the line of the last price is; its tag on the axis is the only one that has no title."""
        [price] = [line[0] for one in self.driver.execute_script(DRAWN) for line in one["lines"] if not line[1]]
        return price

    def pressed(self):
        return [button.text for button in
            self.driver.find_elements("css selector", ".chart-controls button[aria-pressed=true]")]

    def seen(self):
        return self.driver.execute_script(SEEN)

    def canvas(self):
        return find(self.driver, ".chart-canvas")

    def drag(self, by):
        """As a hand does it: not in one leap."""
        hand = ActionChains(self.driver, duration=20).click_and_hold(self.canvas())
        for _ in range(10):
            hand.move_by_offset(by // 10, 0)
        hand.release().perform()

    def test_each_range_shows_its_own_candles(self):
        self.show()
        end = int(datetime(2026, 1, 31, 12, tzinfo=timezone.utc).timestamp())
        for name, (seconds, count, base) in RANGES.items():
            # The server knows it; candles as long as these come when it has been there so long.
            self.assertIsNotNone(ask(f"/v1/candles/{quote(INSTRUMENT, safe=':')}?range={name}"))
            self.press_button(".chart-controls", name)
            self.wait(lambda: (self.drawn("candles") or [{}])[0].get("open") == base, f"candles of {name}")
            shown = self.drawn("candles")
            starts = [end - seconds * (count - 1 - n) for n in range(count)]
            self.assertEqual([one["time"] for one in shown], starts)
            self.assertIn(name, self.pressed())
            self.assertEqual(len(self.pressed()), 2, "one range and one kind")
            self.wait(lambda: self.seen()[0] <= 0.5 and self.seen()[1] >= count - 1.5, "all of it in sight")
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.wait(lambda: self.drawn("candles")[0]["open"] == 700, "the range that was chosen")
        self.assertEqual(complaints(self.driver), [])

    def select(self, label):
        return find(self.driver, f".chart-controls select[aria-label='{label}']")

    def chosen(self, label):
        return self.select(label).get_attribute("value")

    def test_an_interval_is_chosen_apart_from_a_range(self):
        self.show()
        self.assertEqual(self.chosen("Length of a candle"), "5m", "a range has an interval")
        self.assertEqual([one.get_attribute("value") for one in self.select("Length of a candle")
            .find_elements("css selector", "option")], ["1s", "1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w"])
        for value, name in (("1w", "1w"), ("15m", "15m")):
            # The server knows it.
            self.assertIsNotNone(ask(f"/v1/candles/{quote(INSTRUMENT, safe=':')}?interval={value}&limit=300&live=true"))
            self.choose(".chart-controls select[aria-label='Length of a candle']", name)
            self.wait(lambda: len(self.drawn("candles") or []) == 300, f"the newest candles of {value}")
            self.assertEqual(self.pressed(), ["Candles"], "no range")
        self.assertEqual({two["time"] - one["time"] for one, two in
            zip(self.drawn("candles"), self.drawn("candles")[1:])}, {900})
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.wait(lambda: len(self.drawn("candles") or []) == 300, "the interval that was chosen")
        self.assertEqual(self.chosen("Length of a candle"), "15m")
        self.press_button(".chart-controls", "1W")
        self.wait(lambda: (self.drawn("candles") or [{}])[0].get("open") == RANGES["1W"][2], "candles of a week")
        self.assertEqual(self.pressed(), ["1W", "Candles"])
        self.assertEqual(complaints(self.driver), [])

    def test_candles_of_means_areas_and_scales(self):
        self.show()
        candles = self.drawn("candles")
        self.press_button(".chart-controls", "Heikin-Ashi")
        wanted, before = [], None
        for one in candles:
            close = (one["open"] + one["high"] + one["low"] + one["close"]) / 4
            first = (one["open"] + one["close"]) / 2 if before is None else (before["open"] + before["close"]) / 2
            before = {"time": one["time"], "open": first, "high": max(one["high"], first, close),
                "low": min(one["low"], first, close), "close": close}
            wanted.append(before)
        self.wait(lambda: self.drawn("candles") == wanted, "candles of means")
        self.assertEqual(self.tag(), candles[-1]["close"], "the last price is none of a mean")
        self.press_button(".chart-controls", "Area")
        self.wait(lambda: self.drawn("area") == [{"time": one["time"], "value": one["close"]} for one in candles],
            "an area")
        for name, mode in (("Log", 1), ("Percent", 2), ("Linear", 0)):
            self.choose(".chart-controls select[aria-label='Scale of prices']", name)
            self.assertEqual(self.driver.execute_script("return chart.priceScale('right').options().mode"), mode)
        self.choose(".chart-controls select[aria-label='Scale of prices']", "Log")
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.wait(lambda: self.drawn("area"), "the kind that was chosen")
        self.assertEqual(self.driver.execute_script("return chart.priceScale('right').options().mode"), 1)
        self.assertEqual(self.chosen("Scale of prices"), "log")
        self.assertEqual(complaints(self.driver), [])

    def test_a_picture_has_the_chart_its_panes_and_its_name(self):
        self.show()
        self.press_button(".chart-controls", "RSI 14")
        self.wait(lambda: find(self.driver, ".pane"), "a pane")
        self.driver.execute_script(KEPT)
        self.click(".chart-controls button[aria-label='Save a picture of the chart']")
        name, width, height, colours = self.wait(lambda: self.driver.execute_script("return window.kept"), "a file")
        self.assertRegex(name, r"^[a-z-]+-[A-Za-z0-9-]+-5m-\d{4}-\d\d-\d\d[.]png$")
        shown = self.driver.execute_script("return [...document.querySelectorAll('.chart-canvas, .pane-canvas')]"
            ".map((one) => [one.clientWidth, one.clientHeight])")
        self.assertEqual(width, shown[0][0])
        self.assertEqual(height, sum(one[1] for one in shown) + 58, "two lines of words above them")
        self.assertGreater(colours, 10, "something is drawn")
        self.assertEqual(complaints(self.driver), [])

    def test_a_line_or_candles_and_the_volume_below(self):
        self.show()
        candles = self.drawn("candles")
        self.assertEqual({one["open"] for one in candles}, {200})
        volumes = self.drawn("volume")
        self.assertEqual([one["value"] for one in volumes], [7 + n for n in reversed(range(len(candles)))])
        self.assertEqual([one["time"] for one in volumes], [one["time"] for one in candles])
        # By where the price went.
        self.assertEqual(len({one["color"] for one in volumes[::2]}), 1)
        self.assertEqual(len({one["color"] for one in volumes[:2]}), 2)
        self.assertIn("Vol 7", text(self.driver, ".chart-legend").replace("\u00a0", " "))
        self.press_button(".chart-controls", "Line")
        line = self.wait(lambda: self.drawn("line"), "a line")
        closes = [{"time": one["time"], "value": one["close"]} for one in candles]
        self.assertEqual(line, closes)
        self.assertIsNone(self.drawn("candles"))
        self.assertEqual(self.drawn("volume"), volumes)
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.wait(lambda: self.drawn("line"), "the kind that was chosen")
        self.press_button(".chart-controls", "Candles")
        self.wait(lambda: self.drawn("candles"), "candles again")
        self.assertIsNone(self.drawn("line"))
        self.assert_live()

    def assert_live(self):
        """The last candle changes, and the next one begins, as the server says."""
        start = datetime(2026, 1, 31, 12, tzinfo=timezone.utc)
        for late, close in ((0, "202.5"), (1, "198.5")):
            count = len(self.drawn("candles"))
            time = start + timedelta(seconds=300 * late)
            tell(self.driver, "candles", {"start": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "open": "200.0",
                "close": close, "high": "203.0", "low": "197.0", "volume": "11", "trades": 2,
                "complete": False, "amended": False})
            last = {"time": time.timestamp(), "open": 200, "close": float(close), "high": 203, "low": 197}
            self.wait(lambda: self.drawn("candles")[-1] == last, "the candle of now")
            self.assertEqual(len(self.drawn("candles")), count + late)
            self.assertEqual(self.drawn("volume")[-1]["value"], 11)
            self.assertIn(close, text(self.driver, ".chart-legend"))
            self.assertEqual(self.tag(), float(close))

    def test_panes_go_with_the_price_candle_by_candle(self):
        self.show()
        for name in ("RSI 14", "MACD"):
            self.press_button(".chart-controls", name)
        self.wait(lambda: self.driver.execute_script("return window.panes.length") == 2, "two panes")
        self.assert_in_line()
        self.drag(200)
        self.wait(lambda: self.seen()[1] < 90, "what was before")
        self.assert_in_line()
        # The tag stays at the last price, whatever is in sight.
        last = self.drawn("candles")[-1]["close"]
        self.assertEqual(self.tag(), last)
        # The legend is of the last candle where no candle is pointed at.
        ActionChains(self.driver).move_to_element(find(self.driver, "h1")).perform()
        self.assert_live()
        self.assert_in_line()
        # They are there with the candles, where they were chosen before.
        self.show()
        self.wait(lambda: self.driver.execute_script("return window.panes.length") == 2, "two panes again")
        self.assert_in_line()

    def assert_in_line(self):
        for candle in (-60, -30):
            def is_same():
                first, *others = self.driver.execute_script(PLACES, candle)
                return len(others) == 2 and all(abs(place - first) < 0.5 for place in others)
            self.wait(is_same, f"candle {candle} below each other")

    def test_the_mouse_goes_nearer_and_back_in_time(self):
        self.sign_up("chuck")
        self.show(pages=2)
        # Those before are there as soon as the first comes in sight, and leave in sight what was chosen.
        self.wait(lambda: len(self.drawn("candles")) == 192, "a page more than is in sight")
        self.driver.execute_async_script(PAINTED)
        whole = self.seen()
        self.assertGreater(whole[0], 95)
        length = lambda: self.seen()[1] - self.seen()[0]
        wheel = lambda way: ActionChains(self.driver).scroll_from_origin(
            ScrollOrigin.from_element(self.canvas()), 0, way).perform()
        wheel(-400)
        self.wait(lambda: length() < whole[1] - whole[0] - 1, "fewer candles, each wider")
        near = length()
        wheel(200)
        self.wait(lambda: length() > near + 1, "more of them")
        first = self.seen()[0]
        self.drag(200)
        self.wait(lambda: self.seen()[0] < first - 1, "what was before")

        def is_older():
            self.drag(300)
            return len(self.drawn("candles")) == 3 * 96

        self.wait(is_older, "older candles, as one goes there")
        times = [one["time"] for one in self.drawn("candles")]
        self.assertEqual(times, [times[0] + 300 * n for n in range(3 * 96)])
        # A drag is no click, nor is a turn of the wheel.
        self.assertIsNone(find(self.driver, "dialog"))
        # The candle under the pointer is told in figures.
        told = lambda: find(self.driver, ".chart-legend").get_attribute("data-start")
        before_it = told()
        ActionChains(self.driver).move_to_element_with_offset(self.canvas(), -100, 0).perform()
        self.wait(lambda: told() != before_it, "another candle in figures")
        self.assertEqual(complaints(self.driver), [])

    def test_a_price_that_is_clicked_is_an_alert_with_a_line(self):
        self.sign_up("chloe")
        self.call("POST", "/alerts", {"instrument": INSTRUMENT, "note": "From before",
            "condition": {"price": "last", "crosses": "above", "level": "201.0"}})
        self.call("POST", "/alerts", {"instrument": INSTRUMENT, "note": "Both",
            "condition": {"leaves": {"low": "150.0", "high": "250.0"}, "price": "last"}})
        self.show()
        known = [[150, "Both"], [201, "From before"], [250, "Both"]]
        self.wait(lambda: self.lines() == known, "a line at each level")
        above = int(self.canvas().rect["height"] / 5)
        ActionChains(self.driver).move_to_element_with_offset(self.canvas(), -40, -above).click().perform()
        level = self.wait(lambda: find(self.driver, "dialog input[name=level]"), "an alert at that price")
        there, next_to_it = [Decimal(str(price)) for price in self.driver.execute_script(PRICES, above)]
        tick = Decimal(self.call("GET", f"/instruments/{INSTRUMENT}")["tick_size"])
        wanted = Decimal(level.get_attribute("value"))
        # The pointer is on a whole pixel, the chart may not be; and the price is one of the instrument's.
        self.assertLessEqual(abs(wanted - there), tick + 2 * abs(there - next_to_it))
        self.assertGreater(wanted, 200)
        self.assertEqual(wanted % tick, 0)
        self.enter("note", "Clicked")
        self.click("dialog button[type=submit]")
        self.wait(lambda: self.lines() == sorted([*known, [float(wanted), "Clicked"]]), "its line")
        # What is told no more has no line, and what is drawn anew has all of them.
        self.press_button(".chart-controls", "Line")
        self.wait(lambda: self.drawn("line") and len(self.lines()) == 4, "the lines on the other kind")
        former = next(rule for rule in self.call("GET", "/alerts")["items"] if rule["note"] == "From before")
        self.call("POST", f"/alerts/{former['id']}/disable")
        self.driver.execute_script("dispatchEvent(new Event('bitpal:firing'))")
        titles = lambda: [title for _, title in self.lines()]
        self.wait(lambda: titles() == ["Both", "Clicked", "Both"], "one line less")


if __name__ == "__main__":
    unittest.main(verbosity=2)
