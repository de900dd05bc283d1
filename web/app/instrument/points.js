/**
 * What the library draws of a candle.
 * @module
 */
import * as decimal from "../decimal.js";
import { approximate } from "../decimal.js";
import { faint } from "./colours.js";

/** Its price: `kind` is `candles` or `line`. */
export function pricePoint({ seconds: time, open, high, low, close }, kind) {
  if (kind === "line") return { time, value: approximate(close) };
  return { time, open: approximate(open), high: approximate(high), low: approximate(low),
    close: approximate(close) };
}

/** Its volume, in the colour of where the price went. */
export function volumePoint({ seconds: time, open, close, volume }, palette) {
  const isUp = decimal.compare(close, open) >= 0;
  return { time, value: approximate(volume ?? "0"), color: faint(isUp ? palette.up : palette.down, 0.35) };
}
