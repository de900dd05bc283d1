/**
 * The lines of the chosen indicators that are prices, as the chart's library wants them.
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
 * Lines to draw over candles, on the scale of the price.
 * @returns {{name: string, data: object[], color: string}[]}
 */
export function overlays(candles, chosen, palette) {
  const closes = candles.map((candle) => approximate(candle.close));
  const dots = (values, pick = (value) => value) => values.flatMap((value, index) =>
    value === null || value === undefined ? [] : [{ time: candles[index].seconds, value: pick(value) }]);
  const lines = [];
  if (chosen.has("ema")) lines.push({ name: "ema", data: dots(indicators.ema(closes, 20)), color: palette.warn });
  if (chosen.has("sma")) lines.push({ name: "sma", data: dots(indicators.sma(closes, 50)), color: palette.violet });
  if (chosen.has("bollinger")) {
    const bands = indicators.bollinger(closes);
    for (const edge of ["upper", "middle", "lower"]) {
      lines.push({ name: "bollinger", data: dots(bands, (band) => band[edge]),
        color: faint(palette.accent, edge === "middle" ? 0.5 : 0.8) });
    }
  }
  return lines;
}
