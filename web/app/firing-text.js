/**
 * One firing in a sentence of the reader's language.
 * @module
 */
import { t } from "./i18n.js";
import * as format from "./format.js";

/** What the services call the values that rules look at. */
const subjects = { "last price": "last", "best bid": "bid", "best ask": "ask", "mid price": "mid",
  "mark price": "mark", "index price": "index", spread: "spread", value: "value", profit: "profit",
  change: "day_change", "funding rate in percent": "funding", "open interest": "open_interest" };
const told = new RegExp("^(?:(.+?)(?: of [0-9a-f-]{36}(?: today)?)?) (rose|fell) to ([\\d.-]+) from ([\\d.-]+), "
  + "(?:reaching|leaving the band (?:above|below)) ([\\d.-]+)$");

/** That an instrument is followed by no feed, as the evaluator says it. */
const unfollowed = /it is not followed: at most (\d+) instruments of (\S+) are, and others come first/;

/** Why nothing comes of an instrument, in the reader's words where that is known; else empty. */
export function blindText(reason) {
  const [, limit, venue] = unfollowed.exec(reason ?? "") ?? [];
  return limit ? t("firing.unfollowed", { limit: format.number(limit), venue }) : "";
}

/**
 * Why it fired. What the services say of values and levels is said in the reader's words and digits; anything else
 * stays as they say it.
 */
export function reasonText({ kind, reason }) {
  if (kind === "tested") return t("firing.tested");
  if (kind === "blind" && blindText(reason)) return blindText(reason);
  const [, what, way, value, former, level] = told.exec(reason ?? "") ?? [];
  if (!subjects[what]) return reason ?? "";
  return t(`firing.${way}`, { what: t(`firing.of.${subjects[what]}`), price: format.number(value),
    previous: format.number(former), level: format.number(level) });
}

/** What no other firing has. */
export const firingKey = ({ rule, epoch, kind }) => `${rule}/${epoch}/${kind}`;

/** The note first where there is one, else the instrument. */
export function firingText(firing) {
  const name = firing.note || firing.instrument || t("nav.portfolio");
  return t("alert.fired", { name, what: reasonText(firing) });
}
