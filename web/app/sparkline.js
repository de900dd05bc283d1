/**
 * A small line of prices, without axes.
 * @module
 */
import { s } from "./dom.js";
import { get, instrumentPath, itemsOf } from "./api.js";
import { approximate } from "./decimal.js";

const width = 96;
const height = 28;
let waiting = Promise.resolve();

/** A line through values, for a picture only. */
export function sparkline(values) {
  const svg = s("svg", { class: "sparkline", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true",
    preserveAspectRatio: "none" });
  draw(svg, values);
  return svg;
}

/** Draws other values. */
export function draw(svg, values) {
  if (values.length < 2) return svg.replaceChildren();
  const low = Math.min(...values);
  const range = Math.max(...values) - low || 1;
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * width;
    return `${x.toFixed(1)},${(height - 2 - ((value - low) / range) * (height - 4)).toFixed(1)}`;
  });
  svg.dataset.way = values.at(-1) >= values[0] ? "up" : "down";
  svg.replaceChildren(s("polyline", { points: points.join(" ") }));
}

/** Closing prices of the last day, coarse; of the last hour where there is no more. One request at a time. */
export function closes(instrument, signal) {
  const ask = async (interval, limit) => {
    const path = `/candles/${instrumentPath(instrument)}?interval=${interval}&limit=${limit}`;
    return itemsOf(await get(path, { signal })).map((candle) => approximate(candle.close));
  };
  const next = waiting.then(async () => {
    const day = await ask("15m", 96);
    return day.length >= 12 ? day : await ask("1m", 60);
  }).catch(() => []);
  waiting = next;
  return next;
}
