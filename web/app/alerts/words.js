/**
 * A rule read back in sentences of the reader's language.
 * @module
 */
import { t, tOr, filled, locale } from "../i18n.js";
import * as decimal from "../decimal.js";
import * as format from "../format.js";
import { session } from "../session.js";
import { split } from "../quote-row.js";
import { knownTerms, sizeUnit, withUnit } from "../units.js";
import { formOf, parts } from "./kinds.js";

/** Stands where something is not filled in yet. */
const open = "…";

/** A venue as people write it. */
const venueName = (venue) => tOr(`venue.name.${venue}`, venue);

/** An instrument as it is spoken of: "BTC/USD on Kraken". */
function instrumentName(instrument) {
  const { venue, symbol } = split(instrument ?? "");
  return venue && symbol ? t("alert.says.name", { symbol, venue: venueName(venue) }) : instrument || open;
}

/** In what a field of a condition is counted; null where it is a bare number. */
export function unitOf(kind, name, instrument) {
  const form = formOf(kind);
  const unit = name === "hysteresis" ? form?.unit : form?.fields.find((field) => field.name === name)?.unit;
  const terms = knownTerms(instrument ?? "");
  return unit === "size" ? sizeUnit(terms) : unit === "quote" ? terms?.quote ?? null : null;
}

/** A number as it is read, with its unit; dots for what is none. */
const counted = (text, unit) => (decimal.parse(text) ? withUnit(format.number(text), unit) : open);

/** Which sentence a condition has: by what is chosen in it. */
const variantOf = (form, values) => form.fields.filter(({ picks }) => picks).map(({ name, type, value }) =>
  (type === "choice" ? values[name] || value || "any" : values[name] ? "given" : "any")).join(".");

/** What must happen, as a part of a sentence. */
function happening({ instrument, condition }, portfolios) {
  const { kind, values } = parts(condition);
  const form = formOf(kind);
  if (!form) return JSON.stringify(condition);
  const portfolio = portfolios.find(({ id }) => id === values.id);
  const shown = { name: instrumentName(instrument) };
  for (const field of form.fields) {
    shown[field.name] = valueText(field, values[field.name], { kind, instrument, portfolio });
  }
  return filled(form.says[variantOf(form, values)] ?? JSON.stringify(condition), shown);
}

/** A field of a condition, as it is read in a sentence. */
function valueText({ name, type, unit, value }, given, { kind, instrument, portfolio }) {
  if (name === "price" || name === "metric") return t(`alert.subject.${given ?? value}`);
  if (unit === "percent") return decimal.parse(given) ? format.portion(given) : open;
  if (unit === "currency") return counted(given, portfolio?.base);
  if (type === "portfolio") return portfolio?.name ?? t("nav.portfolio");
  if (type === "number") return counted(String(given ?? value), unitOf(kind, name, instrument));
  if (type === "interval") return format.length(given || open);
  if (type === "duration") return format.length((given ?? value) || open);
  if (name === "venue" && given) return venueName(given);
  return String(given ?? (type === "choice" ? "" : value)) || open;
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
  const isLevel = formOf(kind)?.has_level;
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
