/**
 * A rule read back in sentences of the reader's language.
 * @module
 */
import { t, tOr, locale } from "../i18n.js";
import * as decimal from "../decimal.js";
import * as format from "../format.js";
import { session } from "../session.js";
import { split } from "../quote-row.js";
import { knownTerms, sizeUnit, withUnit } from "../units.js";
import { kinds, parts, withLevel } from "./kinds.js";

/** Stands where something is not filled in yet. */
const open = "…";

/** A venue as people write it. */
const venueName = (venue) => tOr(`import.format.${venue}`, venue);

/** An instrument as it is spoken of: "BTC/USD on Kraken". */
function instrumentName(instrument) {
  const { venue, symbol } = split(instrument ?? "");
  return venue && symbol ? t("alert.says.name", { symbol, venue: venueName(venue) }) : instrument || open;
}

/** In what a field of a condition is counted; null where it is a bare number. */
export function unitOf(kind, name, instrument) {
  const terms = knownTerms(instrument ?? "");
  if (kind.startsWith("volume") || kind === "trade") return name === "above" || name === "larger_than" ? sizeUnit(terms) : null;
  const isPrice = ["price", "band", "candle"].includes(kind) ? ["level", "low", "high", "hysteresis"].includes(name)
    : kind === "spread" ? ["above", "hysteresis"].includes(name) : kind === "change_amount" && name === "amount";
  return isPrice ? terms?.quote ?? null : null;
}

/** A number as it is read, with its unit; dots for what is none. */
const counted = (text, unit) => (decimal.parse(text) ? withUnit(format.number(text), unit) : open);

const movement = ({ direction = "either", against = "start" }) => [direction, against];

/** What is chosen in a condition that has a sentence for each choice. */
const choices = {
  change: movement,
  change_amount: movement,
  bollinger: ({ leaves = "either" }) => [leaves],
  trade: ({ side }) => [side || "any"],
  feed: ({ feed }) => [feed],
  listing: ({ base, quote }) => [base ? (quote ? "both" : "base") : quote ? "quote" : "any"],
};

/** Which sentence a condition has: its kind, and what is chosen in it. */
function variantOf(kind, values) {
  const chosen = choices[kind]?.(values) ?? [values.crosses ?? values.close].filter(Boolean);
  return [kind === "change_amount" ? "change" : kind, ...chosen].join(".");
}

/** What must happen, as a part of a sentence. */
function happening({ instrument, condition }, portfolios) {
  const { kind, values } = parts(condition);
  if (!kinds[kind]) return JSON.stringify(condition);
  const shown = { name: instrumentName(instrument) };
  for (const { name, type, value } of kinds[kind]) {
    const given = String(values[name] ?? (type === "choice" ? "" : value));
    if (type === "number") shown[name] = counted(given, unitOf(kind, name, instrument));
    else if (type === "duration" || name === "interval") shown[name] = format.length(given || open);
    else shown[name] = given || open;
  }
  if (shown.price) shown.price = t(`alert.subject.${values.price ?? "last"}`);
  if (shown.metric) shown.metric = t(`alert.subject.${values.metric}`);
  if (kind === "portfolio") {
    const found = portfolios.find(({ id }) => id === values.id);
    shown.portfolio = found?.name ?? t("nav.portfolio");
    shown.level = counted(values.level, found?.base);
  }
  if (kind === "change") shown.size = decimal.parse(values.percent) ? format.portion(values.percent) : open;
  if (kind === "change_amount") shown.size = shown.amount;
  if (shown.venue) shown.venue = venueName(shown.venue);
  return t(`alert.says.${variantOf(kind, values)}`, shown);
}

/**
 * The whole rule in words: what must happen, how often it tells, and under which conditions.
 * @param {any} rule of the API, or one that is being made
 * @param {any[]} [portfolios] whose names are known
 */
export function ruleText(rule, portfolios = []) {
  const what = happening(rule, portfolios);
  const { kind } = parts(rule.condition);
  const { cooldown = "1h", hysteresis = "0" } = typeof rule.repeat === "object" ? rule.repeat ?? {} : {};
  const said = [!rule.repeat || rule.repeat === "once" ? t("alert.says.once", { what })
    : /^0*[smhdw]?$/.test(cooldown) ? t("alert.says.always", { what })
    : t("alert.says.again", { what, cooldown: format.length(cooldown) })];
  const isLevel = withLevel.has(kind);
  if (isLevel && decimal.sign(hysteresis) > 0) {
    said.push(t("alert.says.hysteresis", { hysteresis: counted(hysteresis, unitOf(kind, "hysteresis", rule.instrument)) }));
  }
  if (isLevel && rule.for) said.push(t("alert.says.for", { for: format.length(rule.for) }));
  if (isLevel && rule.when_already) said.push(t("alert.says.already"));
  const { hours, days, time_zone: zone } = rule.active ?? {};
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(hours ?? "") ?? [];
  if (from) said.push(t("alert.says.hours", { from, to, zone: zone ?? session.settings.time_zone ?? "UTC" }));
  if (days && days.length < 7) said.push(t("alert.says.days", { days: format.list(days.map((day) => t(`day.${day}`))) }));
  if (rule.expires) said.push(t("alert.says.until", { time: format.when(rule.expires) }));
  const [first] = said;
  said[0] = first.charAt(0).toLocaleUpperCase(locale) + first.slice(1);
  return said.join(locale.startsWith("ja") ? "" : " ").replaceAll("….", open);
}
