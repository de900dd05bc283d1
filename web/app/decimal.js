/**
 * Exact decimals. Prices and amounts are texts such as "61000.50"; a calculation turns them into whole units of
 * a power of ten, so nothing is ever rounded by a binary fraction.
 * @module
 */

const pattern = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/**
 * Reads a plain decimal.
 * @returns {{units: bigint, scale: number} | null} null for anything else, an empty text included
 */
export function parse(text) {
  if (typeof text !== "string") return null;
  const match = pattern.exec(text);
  if (!match || (!match[2] && !match[3])) return null;
  const fraction = match[3] ?? "";
  const units = BigInt((match[2] || "0") + fraction);
  return { units: match[1] === "-" ? -units : units, scale: fraction.length };
}

/** Writes it, with as many places as its scale says. */
export function write({ units, scale }) {
  const isNegative = units < 0n;
  const digits = (isNegative ? -units : units).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = scale ? "." + digits.slice(digits.length - scale) : "";
  return (isNegative ? "-" : "") + whole + fraction;
}

const power = (exponent) => 10n ** BigInt(exponent);

/** Both numbers in units of the finer one; null when one of the texts is no number. */
function aligned(a, b) {
  const left = parse(a);
  const right = parse(b);
  if (!left || !right) return null;
  const scale = Math.max(left.scale, right.scale);
  return [left.units * power(scale - left.scale), right.units * power(scale - right.scale), scale];
}

/** Less than, equal or greater than 0 as `a` is beside `b`; what is no number comes last. */
export function compare(a, b) {
  const both = aligned(a, b);
  if (!both) return (parse(a) ? 0 : 1) - (parse(b) ? 0 : 1);
  return both[0] < both[1] ? -1 : both[0] > both[1] ? 1 : 0;
}

/** The sum as text, or null. */
export function add(a, b) {
  const both = aligned(a, b);
  return both && write({ units: both[0] + both[1], scale: both[2] });
}

/** The difference as text, or null. */
export function subtract(a, b) {
  const both = aligned(a, b);
  return both && write({ units: both[0] - both[1], scale: both[2] });
}

/** The product as text, or null. */
export function multiply(a, b) {
  const left = parse(a);
  const right = parse(b);
  return left && right && write({ units: left.units * right.units, scale: left.scale + right.scale });
}

/** The quotient with so many places, half to even; null for a division by zero. */
export function divide(a, b, places) {
  const both = aligned(a, b);
  if (!both || both[1] === 0n) return null;
  return write({ units: halfEven(both[0] * power(places), both[1]), scale: places });
}

/** The number with so many places, half to even; null when it is none. */
export function round(text, places) {
  const number = parse(text);
  if (!number) return null;
  if (number.scale <= places) {
    return write({ units: number.units * power(places - number.scale), scale: places });
  }
  return write({ units: halfEven(number.units, power(number.scale - places)), scale: places });
}

/** The nearest multiple of a step towards zero or away from it; for grouping a book. */
export function snap(text, step, isUp) {
  const both = aligned(text, step);
  if (!both || both[1] <= 0n) return null;
  const rest = both[0] % both[1];
  const low = both[0] - rest;
  return write({ units: rest === 0n || !isUp ? low : low + both[1], scale: both[2] });
}

/** Without zeros at the end of the fraction. */
export function trim(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** -1, 0 or 1; 0 for what is no number. */
export function sign(text) {
  const number = parse(text);
  return !number || number.units === 0n ? 0 : number.units < 0n ? -1 : 1;
}

/** How many places a number is written with. */
export const places = (text) => parse(text)?.scale ?? 0;

/**
 * A binary fraction near to it: for a place on a chart, never for what is written in digits.
 */
export const approximate = (text) => Number(text);

function halfEven(numerator, denominator) {
  const isNegative = numerator < 0n !== denominator < 0n;
  const top = numerator < 0n ? -numerator : numerator;
  const bottom = denominator < 0n ? -denominator : denominator;
  const quotient = top / bottom;
  const twice = (top % bottom) * 2n;
  const isUp = twice > bottom || (twice === bottom && quotient % 2n === 1n);
  const result = isUp ? quotient + 1n : quotient;
  return isNegative ? -result : result;
}
