/**
 * The lines of the chosen indicators, as the chart's library wants them.
 * @module
 */
import { approximate } from "../decimal.js";
import * as indicators from "./indicators.js";
import { faint } from "./colours.js";

/** How many candles each needs before it has a value. */
export const candlesNeeded = { ema: 20, sma: 50, bollinger: 20, rsi: 15, macd: 34 };

/** The indicators that can be chosen. */
export const indicatorNames = ["ema", "sma", "bollinger", "rsi", "macd"];

/**
 * Lines to draw over candles.
 * @returns {{kind: "line"|"bars", scale?: string, data: object[], options: object}[]} without `scale` on that of
 *   the price
 */
export function overlays(candles, chosen, palette) {
  const closes = candles.map((candle) => approximate(candle.close));
  const dots = (values, pick = (value) => value) => values.flatMap((value, index) =>
    value === null || value === undefined ? [] : [{ time: candles[index].seconds, value: pick(value) }]);
  const line = (data, color, scale, options = {}) => ({ kind: "line", scale, data,
    options: { color, ...options } });
  const lines = [];
  if (chosen.has("ema")) lines.push(line(dots(indicators.ema(closes, 20)), palette.warn));
  if (chosen.has("sma")) lines.push(line(dots(indicators.sma(closes, 50)), palette.violet));
  if (chosen.has("bollinger")) {
    const bands = indicators.bollinger(closes);
    for (const edge of ["upper", "middle", "lower"]) {
      lines.push(line(dots(bands, (band) => band[edge]),
        faint(palette.accent, edge === "middle" ? 0.5 : 0.8)));
    }
  }
  if (chosen.has("rsi")) {
    lines.push(line(dots(indicators.rsi(closes)), palette.violet, "rsi",
      { title: "" }));
  }
  if (chosen.has("macd")) {
    const values = indicators.macd(closes);
    const bars = dots(values, (value) => value.histogram);
    for (const bar of bars) bar.color = faint(bar.value >= 0 ? palette.up : palette.down, 0.5);
    lines.push({ kind: "bars", scale: "macd", data: bars, options: {} },
      line(dots(values, (value) => value.macd), palette.accent, "macd", { title: "MACD" }),
      line(dots(values, (value) => value.signal), palette.warn, "macd"));
  }
  return lines;
}
