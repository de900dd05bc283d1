/**
 * What the library draws of a candle.
 * @module
 */
import * as decimal from "../decimal.js";
import { approximate } from "../decimal.js";
import { faint } from "./colours.js";

/** The kinds of a chart. */
export const kinds = ["candles", "heikin", "line", "area"];

/** Whether a kind draws one value of each candle. */
export const isLine = (kind) => kind === "line" || kind === "area";

/** Adds the series of a kind to a chart of the library. */
export function addPrices(chart, kind, options, palette) {
  const line = { ...options, lineWidth: 2 };
  if (kind === "line") return chart.addLineSeries({ ...line, color: palette.accent });
  if (kind === "area") return chart.addAreaSeries({ ...line, lineColor: palette.accent,
    topColor: faint(palette.accent, 0.35), bottomColor: faint(palette.accent, 0.02) });
  return chart.addCandlestickSeries({ ...options, upColor: palette.up, downColor: palette.down,
    wickUpColor: palette.up, wickDownColor: palette.down, borderVisible: false });
}

/** The prices of candles, oldest first. */
export function pricePoints(candles, kind) {
  if (isLine(kind)) return candles.map(({ seconds: time, close }) => ({ time, value: approximate(close) }));
  const points = candles.map(({ seconds: time, open, high, low, close }) => ({ time, open: approximate(open),
    high: approximate(high), low: approximate(low), close: approximate(close) }));
  return kind === "heikin" ? heikinAshi(points) : points;
}

/**
 * Candles of means, which hide what is small: each closes at the mean of its four prices and opens in the middle of the
 * one before. Source: D. Valcu, "Using the Heikin-Ashi Technique", 2004.
 */
function heikinAshi(points) {
  let before;
  return points.map(({ time, open: first, high, low, close: last }) => {
    const close = (first + high + low + last) / 4;
    const open = before ? (before.open + before.close) / 2 : (first + last) / 2;
    return (before = { time, open, high: Math.max(high, open, close), low: Math.min(low, open, close), close });
  });
}

/** Its volume, in the colour of where the price went. */
export function volumePoint({ seconds: time, open, close, volume }, palette) {
  const isUp = decimal.compare(close, open) >= 0;
  return { time, value: approximate(volume ?? "0"), color: faint(isUp ? palette.up : palette.down, 0.35) };
}
