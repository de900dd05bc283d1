/**
 * A rule's condition in a sentence of the reader's language.
 * @module
 */
import { t } from "../i18n.js";
import * as format from "../format.js";
import { kinds, parts } from "./kinds.js";

/** The sentence. */
export function conditionText(json) {
  const { kind, values } = parts(json);
  if (!kinds[kind]) return JSON.stringify(json);
  const shown = {};
  for (const { name, type, value, options } of kinds[kind]) {
    const given = values[name] ?? (type === "choice" ? options[0] : value);
    if (name === "percent") shown[name] = format.portion(given);
    else if (type === "number") shown[name] = format.number(given);
    else if (type === "duration" || name === "interval") shown[name] = format.duration(given);
    else if (type === "choice" && given) shown[name] = t(`alert.value.${given}`);
    else shown[name] = given === "" && type === "choice" ? t("alert.value.any") : given;
  }
  if (kind === "listing") shown.pair = `${values.base ?? "*"}/${values.quote ?? "*"}`;
  if (kind === "change" && values.amount) return t("alert.text.change_amount",
    { ...shown, amount: format.number(values.amount) });
  return t(`alert.text.${kind}`, shown);
}

/** How often it fires. */
export function repeatText(repeat) {
  if (!repeat || repeat === "once") return t("alert.once");
  return t("alert.every", { cooldown: format.duration(repeat.cooldown) });
}
