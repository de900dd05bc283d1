/**
 * One line of help for each field of a rule, by what is chosen in it.
 * @module
 */
import { t } from "../i18n.js";
import * as decimal from "../decimal.js";
import * as format from "../format.js";
import { unitOf } from "./words.js";
import { formOf } from "./kinds.js";

/** Fields whose help is of what is chosen, by the family that its words are in. */
const chosen = { price: "price", crosses: "way", close: "way", direction: "direction", against: "against",
  leaves: "leaves", feed: "feed", metric: "metric", side: "side", priority: "priority" };
const plain = new Set(["percent", "within", "interval", "period", "fast", "slow", "signal", "deviations", "average_of",
  "times", "levels", "venue", "note", "expires", "instrument"]);

/**
 * The line below a field.
 * @param {string} name of the field @param {string} value as the API has it
 * @param {{kind: string, instrument?: string, currency?: string, zone?: string}} about the rule
 */
export function helpFor(name, value, { kind, instrument, currency, zone }) {
  const form = formOf(kind);
  if (name === "kind") return form?.about ?? "";
  const own = form?.fields.find((field) => field.name === name)?.help;
  if (own) return own;
  if (chosen[name]) return t(`alert.help.${chosen[name]}.${value || "any"}`);
  if (plain.has(name)) return t(`alert.help.${name}`);
  if (name === "base" || name === "quote") return t("alert.help.asset");
  if (name === "repeat") return value === "once" ? t("alert.help.once") : t("alert.help.again");
  if (name === "cooldown") return t("alert.help.cooldown", { cooldown: format.length(value || "…") });
  if (name === "for") {
    return value ? t("alert.help.for", { for: format.length(value) }) : t("alert.help.forNone", { example: format.length("5m") });
  }
  const unit = form?.unit === "currency" ? currency : unitOf(kind, name, instrument);
  if (name === "hysteresis") {
    const shown = (text) => (unit ? `${format.number(text)}\u00a0${unit}` : format.number(text));
    return decimal.sign(value) > 0 ? t("alert.help.hysteresis", { hysteresis: shown(value) })
      : t("alert.help.hysteresisNone", { example: shown("10") });
  }
  if (name === "id") return "";
  if (name === "hours") return t("alert.help.hours", { zone });
  return unit ? t("alert.help.unit", { unit }) : t("alert.help.level", { example: format.typed("61000.50") });
}
