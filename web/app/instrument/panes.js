/**
 * Indicators with a scale of their own, each in a pane below the price. The library has no panes: each is a chart
 * that goes with the one of the price, candle below candle.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import * as format from "../format.js";
import { approximate } from "../decimal.js";
import * as indicators from "./indicators.js";
import { faint } from "./colours.js";

/** The indicators that have a pane, from above. */
export const paneNames = ["rsi", "macd"];

/** Two places on the time scale that nobody can tell apart, in candles. */
const same = 0.01;
const quiet = { lastValueVisible: false, priceLineVisible: false, crosshairMarkerVisible: false };

/** The lines of each pane: its values by name, how each is drawn, and what colour its figure has. */
const parts = {
  rsi: {
    values: (closes) => indicators.rsi(closes).map((value) => (value === null ? null : { rsi: value })),
    lines: { rsi: { colour: "violet" } },
    whole: { autoscaleInfoProvider: () => ({ priceRange: { minValue: 0, maxValue: 100 } }) },
    edges: [70, 30],
    write: (value) => format.number(value.toFixed(1)),
    tick: (value) => format.number(value.toFixed(0)),
  },
  macd: {
    values: (closes) => indicators.macd(closes),
    lines: { histogram: { isBars: true }, macd: { colour: "accent" }, signal: { colour: "warn" } },
    edges: [0],
    write: (value) => format.number(value.toFixed(placesFor(value))),
    tick: (value) => format.number(value.toFixed(placesFor(value))),
  },
};

/** Places that leave four digits of a number that may be far below 1. */
const placesFor = (value) => (value === 0 ? 0
  : Math.min(8, Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value))))));

/** One indicator in its pane. */
class Pane {
  #series = {};
  #values = [];
  #times = [];

  constructor(name, library, options, palette) {
    this.name = name;
    this.palette = palette;
    this.legend = h("p", { class: "chart-legend num" });
    this.canvas = h("div", { class: "pane-canvas", role: "img", "aria-label": t(`chart.pane.${name}`) });
    this.element = h("div", { class: "pane", dataset: { pane: name } }, this.legend, this.canvas);
    this.chart = library.createChart(this.canvas, { autoSize: true, ...options });
    this.chart.priceScale("right").applyOptions({ scaleMargins: { top: 0.1, bottom: 0.08 } });
    const { lines, edges, tick, whole } = parts[name];
    const shared = { ...quiet, ...whole, priceFormat: { type: "custom", minMove: 1e-8, formatter: tick } };
    for (const [part, { isBars, colour }] of Object.entries(lines)) {
      this.#series[part] = isBars ? this.chart.addHistogramSeries(shared)
        : this.chart.addLineSeries({ ...shared, lineWidth: 1.5, color: palette[colour] });
    }
    this.first = this.#series[Object.keys(lines).at(-1)];
    for (const price of edges) {
      this.first.createPriceLine({ price, color: palette.edge, lineWidth: 1, lineStyle: price ? 2 : 0,
        axisLabelVisible: false, title: "" });
    }
  }

  /**
   * Draws the values of these candles; every candle has its place, those without a value an empty one.
   * `isLast` says that only the last candle is another one than before.
   */
  show(candles, isLast) {
    this.#values = parts[this.name].values(candles.map((candle) => approximate(candle.close)));
    this.#times = candles.map((candle) => candle.seconds);
    for (const [part, series] of Object.entries(this.#series)) {
      const point = (index) => this.#point(part, index);
      if (isLast) series.update(point(candles.length - 1));
      else series.setData(candles.map((_, index) => point(index)));
    }
  }

  #point(part, index) {
    const time = this.#times[index];
    const value = this.#values[index]?.[part];
    if (value === undefined) return { time };
    return part === "histogram"
      ? { time, value, color: faint(value >= 0 ? this.palette.up : this.palette.down, 0.55) } : { time, value };
  }

  /** Names the indicator, with its values at a candle. */
  tell(index) {
    const { lines, write } = parts[this.name];
    const found = this.#values[index];
    const figure = ([part, { colour }]) => h("span", {},
      colour && h("span", { class: "line-mark", style: { background: this.palette[colour] } }),
      Object.keys(lines).length > 1 && h("span", { class: "muted" }, t(`chart.${this.name}.${part}`), " "),
      found ? write(found[part]) : "–", " ");
    replace(this.legend, h("b", {}, t(`chart.pane.${this.name}`)), " ", Object.entries(lines).map(figure));
  }

  /** The value at a candle, for the mark of the pointer; where there is none, the middle of the scale. */
  at(index) {
    return Object.values(this.#values[index] ?? { none: this.name === "rsi" ? 50 : 0 })[0];
  }

  /** Takes it away; in other colours another is made. */
  remove() {
    this.chart.remove();
    this.element.remove();
  }
}

/** The panes below a chart of prices. */
export class Panes {
  element = h("div", { class: "panes" });
  #panes = [];
  #width = 0;
  /** The chart that somebody moves, or ours moves: the others go after it. */
  #leader;

  /**
   * @param {any} library @param {any} main the chart of prices @param {Element} place where that is
   * @param {(time: number | undefined, chart: any, cause: Event | undefined) => void} onPoint when the crosshair is at
   * a candle of a pane, and what brought it there
   */
  constructor(library, main, place, onPoint) {
    this.library = library;
    this.main = main;
    this.onPoint = onPoint;
    this.#leader = main;
    this.#watch(main, place);
  }

  /** How many there are. */
  get count() {
    return this.#panes.length;
  }

  /** Theirs, from above. */
  get charts() {
    return this.#panes.map(({ chart }) => chart);
  }

  /** Shows the chosen ones; the times stand below the last. */
  choose(chosen, options, palette) {
    const wanted = paneNames.filter((name) => chosen.has(name));
    if (wanted.join() !== this.#panes.map(({ name }) => name).join()) {
      this.clear();
      this.#panes = wanted.map((name) => this.#make(name, options, palette));
    }
    const last = this.#panes.at(-1)?.chart ?? this.main;
    for (const chart of this.#charts) chart.timeScale().applyOptions({ visible: chart === last });
  }

  #make(name, options, palette) {
    const pane = new Pane(name, this.library, options, palette);
    this.element.append(pane.element);
    const { chart } = pane;
    this.#watch(chart, pane.canvas);
    chart.subscribeCrosshairMove(({ time, sourceEvent }) => this.onPoint(time, chart, sourceEvent));
    return pane;
  }

  #watch(chart, place) {
    // One that goes by itself, as for a new candle or once it has a width, comes back to the one that leads.
    const join = () => this.#go(this.#leader.timeScale().getVisibleLogicalRange());
    chart.timeScale().subscribeVisibleLogicalRangeChange(join);
    chart.timeScale().subscribeSizeChange(() => {
      this.#align();
      join();
    });
    for (const type of ["pointerenter", "pointerdown", "wheel", "touchstart"]) {
      place.addEventListener(type, () => (this.#leader = chart), { capture: true, passive: true });
    }
  }

  /** Draws them for these candles, of which only the last is another one when `isLast` says so. */
  show(candles, isLast = false) {
    for (const pane of this.#panes) pane.show(candles, isLast);
    this.#go(this.#leader.timeScale().getVisibleLogicalRange());
    this.#align();
  }

  /** Names each with its values at a candle, and marks it where the pointer is not. */
  tell(index, time, origin) {
    for (const pane of this.#panes) {
      pane.tell(index);
      if (pane.chart === origin) continue;
      if (time === undefined) pane.chart.clearCrosshairPosition();
      else pane.chart.setCrosshairPosition(pane.at(index), time, pane.first);
    }
  }

  /** Puts every pane where the price is. */
  follow() {
    this.#leader = this.main;
    this.#go(this.main.timeScale().getVisibleLogicalRange());
  }

  /** Takes all away. */
  clear() {
    this.#leader = this.main;
    for (const pane of this.#panes.splice(0)) pane.remove();
  }

  get #charts() {
    return [this.main, ...this.charts];
  }

  #go(range) {
    if (!range) return;
    for (const chart of this.#charts) {
      if (chart === this.#leader) continue;
      const has = chart.timeScale().getVisibleLogicalRange();
      if (has && Math.abs(has.from - range.from) < same && Math.abs(has.to - range.to) < same) continue;
      chart.timeScale().setVisibleLogicalRange(range);
    }
  }

  /** Scales of one width: only then is a candle's value below the candle. */
  #align() {
    if (!this.#panes.length) return;
    const width = Math.max(...this.#charts.map((chart) => chart.priceScale("right").width()));
    if (width <= this.#width) return;
    this.#width = width;
    for (const chart of this.#charts) chart.applyOptions({ rightPriceScale: { minimumWidth: width } });
  }
}
