/**
 * Numbers and times as people of a locale read them. Digits of prices are grouped as text and never become binary
 * fractions.
 * @module
 */
import { locale, t } from "./i18n.js";
import * as decimal from "./decimal.js";

/** The time zone of every time on the page; undefined is the browser's. */
export let timeZone;

/** Sets the time zone, when the browser knows it. */
export function useTimeZone(name) {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name || undefined });
    timeZone = name || undefined;
  } catch {
    timeZone = undefined;
  }
  cache.clear();
}

const cache = new Map();

/** One formatter for each way of formatting: making one is slow. */
function cached(kind, make) {
  const key = `${kind}|${locale}|${timeZone ?? ""}`;
  let found = cache.get(key);
  if (!found) cache.set(key, (found = make()));
  return found;
}

function separators() {
  return cached("separators", () => {
    const whole = new Intl.NumberFormat(locale, { useGrouping: true, maximumFractionDigits: 0 });
    const parts = new Intl.NumberFormat(locale).formatToParts(-1.5);
    const of = (type) => parts.find((part) => part.type === type)?.value;
    const digits = [..."0123456789"].map((digit) => new Intl.NumberFormat(locale).format(Number(digit)));
    return { whole, point: of("decimal") ?? ".", minus: of("minusSign") ?? "-", digits };
  });
}

/** A decimal with its digits grouped; every digit is kept. An en dash for what is no number. */
export function number(text) {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text ?? "");
  if (!match || (!match[2] && !match[3])) return "–";
  const { whole, point, minus, digits } = separators();
  const fraction = [...(match[3] ?? "")].map((digit) => digits[digit]).join("");
  const prefix = match[1] === "-" ? minus : "";
  return prefix + whole.format(BigInt(match[2] || "0")) + (fraction ? point + fraction : "");
}

/** A price: as the venue writes it. */
export const price = number;

/** An amount without zeros at its end, and with at most so many places. */
export function amount(text, most = 8) {
  if (decimal.parse(text) === null) return "–";
  const rounded = decimal.places(text) > most ? decimal.round(text, most) : text;
  return number(decimal.trim(rounded));
}

/** Money with two places and its currency. */
export function money(text, currency) {
  const rounded = decimal.round(text ?? "", 2);
  return rounded === null ? "–" : `${number(rounded)}${currency ? " " + currency : ""}`;
}

/** A percentage with its sign: "+1.20 %". The text is in percent. */
export function percent(share, digits = 2) {
  const rounded = decimal.round(share ?? "", digits);
  if (rounded === null) return "–";
  const text = `${decimal.sign(rounded) > 0 ? "+" : ""}${number(rounded)} %`;
  // Signs take the direction of what is around them: marks keep them at their number.
  return document.documentElement.dir === "rtl" ? `\u200e${text}\u200e` : text;
}

/** A ratio such as "0.0123" as a percentage. */
export const ratio = (text, digits = 2) =>
  decimal.parse(text) ? percent(decimal.multiply(text, "100"), digits) : "–";

/** A large number in few letters: "1.2M". */
export function compact(text) {
  const known = decimal.parse(text);
  if (!known) return "–";
  const format = cached("compact", () =>
    new Intl.NumberFormat(locale, { notation: "compact", maximumSignificantDigits: 4 }));
  return format.format(decimal.approximate(decimal.round(text, Math.min(known.scale, 4))));
}

/** A whole number that is no money, such as a count. */
export const count = (value) => cached("count", () => new Intl.NumberFormat(locale)).format(value);

const styles = {
  time: { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
  clock: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  day: { year: "numeric", month: "short", day: "numeric" },
  shortDay: { month: "short", day: "numeric" },
  moment: { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit",
    hourCycle: "h23" },
};

/**
 * A time in one of the styles `time`, `clock`, `day`, `shortDay`, `moment`.
 * @param {string | number | Date | null} value ISO 8601 or milliseconds
 */
export function when(value, style = "moment") {
  const date = new Date(value ?? NaN);
  if (Number.isNaN(date.getTime())) return "–";
  return cached(style, () => new Intl.DateTimeFormat(locale, { ...styles[style], timeZone })).format(date);
}

/** How long ago, in words: "3 minutes ago". */
export function age(value, now = Date.now()) {
  const seconds = Math.round((now - new Date(value).getTime()) / 1000);
  if (!Number.isFinite(seconds)) return "–";
  if (seconds < 5) return t("time.now");
  const [unit, size] = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]].find(
    ([, size]) => seconds >= size) ?? ["second", 1];
  const format = cached("age", () => new Intl.RelativeTimeFormat(locale, { numeric: "always" }));
  return format.format(-Math.floor(seconds / size), unit);
}

/** A length of time: "3 min". */
export function span(seconds) {
  const [unit, size] = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]].find(
    ([, size]) => seconds >= size) ?? ["second", 1];
  const style = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 0 };
  return cached(`span ${unit}`,
    () => new Intl.NumberFormat(locale, style)).format(Math.floor(seconds / size));
}
