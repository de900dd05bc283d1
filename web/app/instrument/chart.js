/**
 * The chart of an instrument: candles or a line, volume, indicators, the live last candle, and lines where the
 * user's alerts are.
 * @module
 */
import { h, replace, setText } from "../dom.js";
import { t } from "../i18n.js";
import * as format from "../format.js";
import * as decimal from "../decimal.js";
import { approximate } from "../decimal.js";
import { chartAbsence, loadCharts } from "./vendor.js";
import { movedRange, nextCandle, rangeWith } from "./chart-keys.js";
import { chartLegend } from "./chart-legend.js";
import { chartLook } from "./chart-look.js";
import { colours } from "./colours.js";
import { candlesNeeded, overlays } from "./overlays.js";
import { Panes } from "./panes.js";
import { addPrices, pricePoints, volumePoint } from "./points.js";
import { drawPicture } from "./picture.js";
import { PriceLines, withoutOwnTag } from "./price-lines.js";

/** Fewer candles than this leave a part of the chart empty. */
const few = 60;
const names = ["text", "muted", "line", "surface", "up", "down", "accent", "warn", "violet", "edge"];

/** How the axis of prices counts, in the order of the library. */
export const scales = ["linear", "log", "percent"];

/** In the place of a chart in which the pointer is: keys moved the crosshair. */
const keys = "keys";

/** The chart; empty until {@link PriceChart.open}. */
export class PriceChart {
  /** The time under the crosshair and the chart in which the pointer is; nothing while it is in none. */
  #pointed = [];
  /** Whether a second finger is or was there: where they leave is no place that was tapped. */
  #isPinched = false;
  #chart;
  #series;
  #volume;
  #lines = [];
  #priceLines = new PriceLines();
  #kind = "candles";
  #scale = "linear";
  #chosen = new Set();
  #candles;
  #panes;
  #overlays = [];
  #places = 2;

  /**
   * @param {any} scope of the view @param {(price: string) => void} onPrice when a price is clicked
   * @param {string | null} unit of volumes
   */
  constructor(scope, onPrice, unit) {
    Object.assign(this, { scope, onPrice, unit });
    this.legend = h("div", { class: "chart-legend num" });
    this.canvas = h("div", { class: "chart-canvas", role: "img", "aria-label": t("chart.label") });
    this.said = h("div", { class: "visually-hidden", role: "status" });
    this.element = h("div", { class: "chart" }, this.legend, this.said, this.canvas);
  }

  /** Makes the chart; false, with words in its place, where the library is not there. */
  async open() {
    let library;
    try {
      library = await loadCharts();
    } catch (error) {
      replace(this.element, chartAbsence(error));
      return false;
    }
    if (this.scope.isStopped) return false;
    this.#chart = library.createChart(this.canvas, { autoSize: true, ...this.#look() });
    this.setScale(this.#scale);
    this.#panes = new Panes(library, this.#chart, this.canvas, (...where) => this.#follow(...where));
    this.element.append(this.#panes.element);
    this.#chart.subscribeCrosshairMove(({ time, sourceEvent }) => this.#follow(time, this.#chart, sourceEvent));
    this.canvas.addEventListener("pointerdown", ({ isPrimary }) => (this.#isPinched = !isPrimary), true);
    this.#chart.subscribeClick((event) => this.#clicked(event));
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      // Only what is in sight can be pointed at: it comes there in the frame after the key.
      if (this.#pointed[1] === keys) this.#tell(...this.#pointed);
      if (range && range.from < 5) this.#older();
    });
    this.scope.listen(window, "bitpal:theme", () => this.#restyle());
    this.scope.listen(matchMedia("(prefers-color-scheme: dark)"), "change", () => this.#restyle());
    this.scope.onStop(() => {
      this.#panes.clear();
      this.#chart.remove();
      this.#chart = undefined;
    });
    return true;
  }

  /** Shows candles. */
  show(candles) {
    this.#candles = candles;
    // The candle that was pointed at may be none of these.
    this.#pointed = [];
    this.#chart?.clearCrosshairPosition();
    this.#places = Math.max(0, ...candles.items.slice(-50).map((item) => decimal.places(item.close)));
    this.#build();
    const count = candles.items.length;
    // A few candles are not blown up to the whole width.
    this.#panes?.follow();
    if (count < few) this.#chart?.timeScale().setVisibleLogicalRange({ from: count - few, to: count + 3 });
    else this.#chart?.timeScale().fitContent();
  }

  /** One of the kinds of `points.js`. */
  setKind(kind) {
    this.#kind = kind;
    this.#build();
  }

  /** How the axis of prices counts: one of {@link scales}. */
  setScale(scale) {
    this.#scale = scale;
    this.#chart?.priceScale("right").applyOptions({ mode: scales.indexOf(scale) });
  }

  /** What is seen of it, with its panes and words above; nothing where it is not drawn. @param {string} title */
  picture(title) {
    return this.#series && drawPicture([this.#chart, ...this.#panes.charts], [title, this.legend.textContent], this.colours);
  }


  /** Which indicators are drawn: of `ema`, `sma`, `bollinger`, `rsi`, `macd`. */
  setIndicators(chosen) {
    this.#chosen = new Set(chosen);
    this.#build();
  }

  /** Draws the last candle again. */
  updateLast() {
    const candle = this.#candles?.items.at(-1);
    if (!this.#series || !candle) return;
    this.#series.update(pricePoints(this.#candles.items, this.#kind).at(-1));
    this.#volume.update(volumePoint(candle, this.colours));
    this.#tagLast();
    if (this.#chosen.size) this.#drawIndicators(true);
    this.#tell(...this.#pointed);
  }

  /** Draws all candles again, where they were. */
  redraw() {
    this.#build();
  }

  /** Draws a line at the level of each alert. */
  showAlerts(alerts) {
    this.#alerts = alerts;
    if (this.#series) this.#priceLines.showAlerts(this.#series, alerts, this.colours);
  }
  #alerts = [];

  /** Goes forward and back by keys, and nearer and farther; with Shift it is the crosshair that goes. */
  key(event) {
    const scale = this.#chart?.timeScale();
    const range = scale?.getVisibleLogicalRange();
    if (!range) return;
    const items = this.#candles?.items ?? [];
    const index = nextCandle(event, items, this.#pointed[0]);
    const wanted = index === undefined ? movedRange(range, event.key) : rangeWith(range, index);
    const isKeyed = this.#pointed[1] === keys;
    if (!wanted && !(isKeyed && event.key === "Escape")) return;
    event.preventDefault();
    this.#panes.follow();
    if (wanted) scale.setVisibleLogicalRange(wanted);
    if (index === undefined && !isKeyed) return;
    // What goes out of sight is pointed at no more.
    const at = index ?? items.findIndex(({ seconds }) => seconds === this.#pointed[0]);
    const isSeen = wanted && at >= 0 && at >= wanted.from && at <= wanted.to;
    this.#follow(isSeen ? items[at].seconds : undefined, keys);
    if (index !== undefined || !isSeen) setText(this.said, isSeen ? this.legend.textContent : "");
  }

  /** What was paid last in the candle to which keys brought the crosshair. */
  get pointedPrice() {
    const [time, origin] = this.#pointed;
    return origin === keys ? this.#candles?.items.find(({ seconds }) => seconds === time)?.close : undefined;
  }

  #build() {
    if (!this.#chart || !this.#candles) return;
    const seen = this.#chart.timeScale().getVisibleLogicalRange();
    for (const series of [this.#series, this.#volume,
      ...this.#lines].filter(Boolean)) this.#chart.removeSeries(series);
    this.#lines = [];
    const palette = this.colours;
    this.#panes.choose(this.#chosen, this.#look(), palette);
    const shared = { ...withoutOwnTag, priceFormat: { type: "custom", minMove: 10 ** -this.#places,
      formatter: (value) => format.number(value.toFixed(this.#places)) } };
    this.#series = addPrices(this.#chart, this.#kind, shared, palette);
    this.#volume = this.#chart.addHistogramSeries({ priceScaleId: "volume", priceFormat: { type: "volume" },
      lastValueVisible: false, priceLineVisible: false });
    const items = this.#candles.items;
    this.#series.setData(pricePoints(items, this.#kind));
    this.#volume.setData(items.map((candle) => volumePoint(candle, palette)));
    this.#tagLast();
    this.#drawIndicators();
    this.showAlerts(this.#alerts);
    if (seen) this.#chart.timeScale().setVisibleLogicalRange(seen);
    this.#panes.follow();
    this.#tell(...this.#pointed);
  }

  #tagLast() {
    this.#priceLines.showLast(this.#series, this.#candles.items.at(-1), this.#kind, this.colours);
  }

  #drawIndicators(isLast = false) {
    // Volume takes the lowest part of the price's height.
    this.#series.priceScale().applyOptions({ scaleMargins: { top: 0.06, bottom: 0.16 } });
    this.#volume.priceScale().applyOptions({ scaleMargins: { top: 0.86, bottom: 0 } });
    const drawn = (this.#overlays = overlays(this.#candles.items, this.#chosen, this.colours));
    if (drawn.length !== this.#lines.length) {
      for (const series of this.#lines.splice(0)) this.#chart.removeSeries(series);
    }
    drawn.forEach(({ data, color }, index) => {
      const series = (this.#lines[index] ??= this.#chart.addLineSeries());
      series.applyOptions({ lineWidth: 1, lastValueVisible: false, priceLineVisible: false,
        crosshairMarkerVisible: false, color });
      series.setData(data);
    });
    this.#panes.show(this.#candles.items, isLast);
  }

  get colours() {
    return (this.palette ??= colours(...names));
  }

  #follow(time, origin, cause) {
    // A chart that moves tells of its crosshair again: that is no pointer.
    if (origin !== keys && this.#pointed[1] === keys && !cause) return;
    this.#pointed = time === undefined ? [] : [time, origin];
    this.#tell(time, origin);
  }

  /** The candle under the crosshair, else the last: in the very digits of the API. */
  #tell(time, origin) {
    const items = this.#candles?.items ?? [];
    const found = time === undefined ? -1 : items.findIndex((item) => item.seconds === time);
    const index = found < 0 ? items.length - 1 : found;
    const candle = items[index];
    if (!candle) return replace(this.legend, t("chart.none"));
    Object.assign(this.legend.dataset, { start: candle.start, interval: this.#candles.interval });
    replace(this.legend, chartLegend(candle, { moment: this.#moment(candle.start), places: this.#places,
      unit: this.unit, overlays: this.#overlays,
      lacking: [...this.#chosen].filter((name) => items.length < candlesNeeded[name]) }));
    // A place that was set by us has no pointer: it moves nothing else.
    if (!origin) return this.#panes.tell(index);
    const at = found < 0 ? undefined : time;
    if (origin !== this.#chart && at !== undefined) {
      this.#chart.setCrosshairPosition(approximate(candle.close), at, this.#series);
    } else if (origin !== this.#chart) {
      this.#chart.clearCrosshairPosition();
    }
    this.#panes.tell(index, at, origin);
  }

  #clicked(event) {
    if (!event.point || !this.#series || this.#isPinched) return;
    const value = this.#series.coordinateToPrice(event.point.y);
    if (value > 0) this.onPrice(value.toFixed(this.#places));
  }

  async #older() {
    const [mine, first] = [this.#candles, this.#candles?.items[0]];
    const isMore = await mine?.loadOlder().catch(() => false);
    // The time scale goes where it was told to in its next frame: until then what is in sight is not known.
    await new Promise(requestAnimationFrame);
    if (!isMore || !this.#chart || mine !== this.#candles) return;
    const seen = this.#chart.timeScale().getVisibleLogicalRange();
    this.#build();
    const added = mine.items.findIndex(({ seconds }) => seconds === first.seconds);
    this.#chart.timeScale().setVisibleLogicalRange({ from: seen.from + added, to: seen.to + added });
  }

  #look() {
    return chartLook(this.colours, (time) => this.#moment(time));
  }

  /** When a candle began; one of a day or a week has the name of its day. */
  #moment(start) {
    return /[dw]$/.test(this.#candles?.interval ?? "") ? format.inUTC(start, "day") : format.when(start);
  }

  #restyle() {
    this.palette = undefined;
    this.#chart?.applyOptions(this.#look());
    this.#panes?.clear();
    this.#build();
  }
}
