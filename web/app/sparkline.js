/**
 * A small line of prices, without axes.
 * @module
 */
import { s } from "./dom.js";
import { get, instrumentPath, itemsOf } from "./api.js";
import { approximate } from "./decimal.js";

const width = 96;
const height = 28;
/** Milliseconds for which a line holds. */
const freshness = 5 * 60_000;
/** Milliseconds from one question to the next: a long list leaves the rate limit to what people do. */
const pause = 250;
const known = new Map();
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

/**
 * Closing prices of the last day, coarse; of the last hour where there is hardly more. One instrument at a time.
 * @param {() => boolean} isWanted asked when it is their turn
 * @returns {Promise<{values: number[], span: string} | null>} with the time that they are of, such as "24h" or "45m";
 * the same object as long as it holds; null where they could not be had
 */
export async function closes(instrument, signal, isWanted) {
  if (isFresh(instrument)) return known.get(instrument).line;
  const turn = waiting.then(() => isWanted());
  const values = turn.then((isOn) => (isOn ? read(instrument, signal) : null)).catch(() => null);
  waiting = Promise.all([turn, values]).then(([isOn]) => isOn && rest());
  return await values;
}

const rest = () => new Promise((resolve) => setTimeout(resolve, pause));
const isFresh = (instrument) => known.get(instrument)?.until > Date.now();

async function read(instrument, signal) {
  const ask = async (interval, limit) => {
    const path = `/candles/${instrumentPath(instrument)}?interval=${interval}&limit=${limit}`;
    return itemsOf(await get(path, { signal }));
  };
  const day = await ask("15m", 96);
  const isDay = day.length >= 12;
  const candles = isDay ? day : await ask("1m", 60);
  const line = { values: candles.map(({ close }) => approximate(close)), span: spanOf(candles, isDay ? 15 : 1) };
  known.set(instrument, { line, until: Date.now() + freshness });
  return line;
}

/** How long candles of so many minutes reach, in words of rules. */
function spanOf(candles, minutes) {
  if (!candles.length) return "";
  const times = candles.map(({ start }) => Date.parse(start));
  const length = (Math.max(...times) - Math.min(...times)) / 60_000 + minutes;
  return length < 55 ? `${length}m` : `${Math.min(24, Math.round(length / 60))}h`;
}
