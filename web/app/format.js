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
  if (found === undefined) cache.set(key, (found = make()));
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
  const shown = whole.format(BigInt(match[2] || "0")) + (fraction ? point + fraction : "");
  return match[1] === "-" ? directed(minus + shown) : shown;
}

/** A price: as the venue writes it. */
export const price = number;

/** An amount without zeros at its end, and with at most so many places. */
export function amount(text, most = 8) {
  if (decimal.parse(text) === null) return "–";
  const rounded = decimal.places(text) > most ? decimal.round(text, most) : text;
  return number(decimal.trim(rounded));
}

/** An amount in so few digits that it fits where there is little room: rounded behind the point, never before. */
export function brief(text, digits = 7) {
  const known = decimal.parse(text);
  if (!known) return "–";
  const whole = decimal.round(text, 0).replace("-", "").length;
  return whole > digits + 1 ? compact(text) : amount(text, Math.max(0, digits - whole));
}

/** Amounts of one column, all with as many places as the finest needs and the room allows. */
export function column(texts, digits = 7) {
  const known = texts.filter((text) => decimal.parse(text));
  const whole = Math.max(1, ...known.map((text) => decimal.round(text, 0).replace("-", "").length));
  if (whole > digits + 1) return texts.map((text) => brief(text, digits));
  const places = Math.min(Math.max(0, digits - 1 - whole), Math.max(0, ...known.map((text) => decimal.places(decimal.trim(text)))));
  return texts.map((text) => number(decimal.round(text, places)));
}

// Source: ISO 4217, list one, minor units of 2024. Browsers have other digits, by custom and not by law.
const withoutCents = new Set(["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV",
  "XAF", "XOF", "XPF"]);
const withThousandths = new Set(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]);

/** Digits behind the point that a currency is counted in: none of JPY; 2 of what is no currency. */
export const moneyPlaces = (currency) => (withoutCents.has(currency) ? 0 : withThousandths.has(currency) ? 3 : 2);

/** Money with its currency; of a column without a name behind each number `counted` says whose digits it has. */
export function money(text, currency, counted = currency) {
  const rounded = decimal.round(text ?? "", moneyPlaces(counted));
  return rounded === null ? "–" : `${number(rounded)}${currency ? `\u00a0${currency}` : ""}`;
}

/** The price of one in a currency: with its digits, and with four figures where those would leave fewer. */
export function unitPrice(text, currency) {
  const known = decimal.parse(text);
  if (!known) return "–";
  const places = moneyPlaces(currency);
  const first = known.scale - String(known.units).replace("-", "").length + 1;
  const isSmall = known.units !== 0n && first > places - 2;
  return number(decimal.round(text, isSmall ? Math.max(places, Math.max(first, places - 1, 0) + 3) : places));
}

/** Every digit of an amount of money, for who wants to know. */
export const exact = (text, currency) =>
  (decimal.parse(text) ? `${number(decimal.trim(text))}${currency ? `\u00a0${currency}` : ""}` : null);

/** A decimal as a person of the locale types it: its own point and digits, nothing between them. */
export function typed(text) {
  const { point, digits } = separators();
  return decimal.parse(text) ? text.replace(".", point).replace(/\d/g, (digit) => digits[digit]) : text;
}

/**
 * What a person typed as a plain decimal: "60.000,5" and "60,000.5" are the same number in every language.
 *
 * One mark alone is the point, wherever it cannot part thousands: "60.5", "0.125", and the language's own point
 * always. What could be either, such as "12.345" where the point is a comma, is money: nobody guesses, it comes
 * back with a question mark and is refused, as is every text that is no number.
 */
export function plain(text) {
  const { point, digits } = separators();
  const latin = [...text.trim()].map((sign) => (digits.includes(sign) ? String(digits.indexOf(sign)) : sign)).join("");
  const one = new RegExp(`^([+-]?)(\\d+)([.,${point}])(\\d*)$`).exec(latin);
  if (one) {
    const [, sign, whole, mark, part] = one;
    const isEither = mark !== point && part.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
    return isEither ? `${latin} ?` : sign.replace("+", "") + whole + (part ? `.${part}` : "");
  }
  const [group, mark] = point === "," ? ["[.\\s'’]", ","] : ["[,\\s'’٬]", `[.${point}]`];
  const found = new RegExp(`^([+-]?)([1-9]\\d{0,2}(?:${group}\\d{3})+|\\d+)(?:${mark}(\\d*))?$`).exec(latin);
  if (!found) return latin;
  const whole = found[2].replace(/\D/g, "");
  return found[1].replace("+", "") + whole + (found[3] ? `.${found[3]}` : "");
}

/** What stands before and after the number of a percentage, such as "" and " %". */
function percentSigns() {
  return cached("percent", () => {
    const parts = new Intl.NumberFormat(locale, { style: "percent" }).formatToParts(1);
    const place = parts.findIndex(({ type }) => type === "integer");
    const text = (some) => some.map(({ value }) => value).join("");
    return [text(parts.slice(0, place)), text(parts.slice(place + 1))];
  });
}

/** A part of a whole, without a sign: "12.5%". The text is in percent. */
export function portion(text, digits) {
  const shown = digits === undefined ? text : decimal.round(text ?? "", digits);
  if (!decimal.parse(shown)) return "–";
  const [before, after] = percentSigns();
  return directed(before + number(shown) + after);
}

/** A change with its sign: "+1.20%". The text is in percent. */
export function percent(share, digits = 2) {
  const rounded = decimal.round(share ?? "", digits);
  if (rounded === null) return "–";
  const [before, after] = percentSigns();
  return directed(`${before}${decimal.sign(rounded) > 0 ? "+" : ""}${number(rounded)}${after}`);
}

/** Signs take the direction of what is around them: marks keep them at their number. */
const directed = (text) => (document.documentElement.dir === "rtl" ? `\u200e${text}\u200e` : text);

/** A change such as "0.0123" as a percentage. */
export const ratio = (text, digits = 2) =>
  decimal.parse(text) ? percent(decimal.multiply(text, "100"), digits) : "–";

/** A part such as "0.0123" as a percentage, without a sign. */
export const share = (text, digits = 1) =>
  decimal.parse(text) ? portion(decimal.multiply(text, "100"), digits) : "–";

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
export function when(value, style = "moment", zone = timeZone) {
  const date = new Date(value ?? NaN);
  if (Number.isNaN(date.getTime())) return "–";
  return cached(`${style} ${zone ?? ""}`,
    () => new Intl.DateTimeFormat(locale, { ...styles[style], timeZone: zone })).format(date);
}

/** The same in UTC, by which the days of candles and portfolios and the years of reports are counted. */
export const inUTC = (value, style) => when(value, style, "UTC");

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

const letters = { s: "second", m: "minute", h: "hour", d: "day", w: "week" };

/** A length of time as rules write it, "15m", in the locale's letters. */
export function duration(text) {
  const [, count, letter] = /^(\d+)([smhdw])$/.exec(text ?? "") ?? [];
  if (!count) return text ?? "";
  const style = { style: "unit", unit: letters[letter], unitDisplay: "narrow" };
  return cached(`duration ${letter}`, () => new Intl.NumberFormat(locale, style)).format(Number(count));
}

/** The same within a sentence: "15 min". */
export function length(text) {
  const [, count, letter] = /^(\d+)([smhdw])$/.exec(text ?? "") ?? [];
  if (!count) return text ?? "";
  const style = { style: "unit", unit: letters[letter], unitDisplay: "short" };
  return cached(`length ${letter}`, () => new Intl.NumberFormat(locale, style)).format(Number(count));
}

/** Several words in a row: "a, b and c", or as a `disjunction` "a, b or c". */
export const list = (words, type = "conjunction") =>
  cached(`list ${type}`, () => new Intl.ListFormat(locale, { type })).format(words);

/** A length of time: "3 min". */
export function span(seconds) {
  const [unit, size] = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]].find(
    ([, size]) => seconds >= size) ?? ["second", 1];
  const style = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 0 };
  return cached(`span ${unit}`,
    () => new Intl.NumberFormat(locale, style)).format(Math.floor(seconds / size));
}
