/**
 * What keys do with a chart: its visible part goes forward, back, nearer and farther, its crosshair from candle to
 * candle.
 * @module
 */

const moves = { ArrowLeft: [-1, -1], ArrowRight: [1, 1], "+": [1, -1], "-": [-1, 1] };
const steps = { ArrowLeft: -1, ArrowRight: 1 };

/** The part of the time scale that a key goes to; undefined for keys that go nowhere. */
export function movedRange({ from, to }, key) {
  const step = (to - from) / 8;
  return moves[key] && { from: from + moves[key][0] * step, to: to + moves[key][1] * step };
}

/**
 * The candle that an arrow with Shift goes to: the last at first, else the next or the one before. Undefined for
 * other keys, and where there is no candle.
 * @param {KeyboardEvent} event @param {{ seconds: number }[]} candles
 * @param {number | undefined} time of the candle under the crosshair
 */
export function nextCandle({ key, shiftKey }, candles, time) {
  if (!shiftKey || !steps[key] || !candles.length) return undefined;
  const at = candles.findIndex(({ seconds }) => seconds === time);
  const last = candles.length - 1;
  return at < 0 ? last : Math.min(last, Math.max(0, at + steps[key]));
}

/** The part of the same length, and no farther away than it must be, in which a candle is seen. */
export function rangeWith({ from, to }, index) {
  const by = Math.min(0, index - 1 - from) + Math.max(0, index + 1 - to);
  return { from: from + by, to: to + by };
}
