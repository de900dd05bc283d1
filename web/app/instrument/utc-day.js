/**
 * Days of UTC, in which the candles of days and weeks begin and end, wherever the reader is.
 * @module
 */
import { locale } from "../i18n.js";

const cache = new Map();

/** The name of a moment's day, with its year unless it is short. */
export function utcDay(moment, isShort = false) {
  const key = `${locale}|${isShort}`;
  if (!cache.has(key)) cache.set(key, new Intl.DateTimeFormat(locale, { year: isShort ? undefined : "numeric",
    month: "short", day: "numeric", timeZone: "UTC" }));
  return cache.get(key).format(new Date(moment));
}
