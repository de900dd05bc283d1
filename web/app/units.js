/**
 * In what the sizes of an instrument are counted: its base asset, contracts, or the quote asset where a contract is
 * one unit of it. What nobody knows is not named.
 * @module
 */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { get, instrumentPath } from "./api.js";
import { keep, kept } from "./last-known.js";
import * as decimal from "./decimal.js";
import * as format from "./format.js";

const known = new Map(Object.entries(kept("terms")?.data ?? {}));
const asked = new Map();

/** Keeps what the API says of an instrument's terms. */
export function noteTerms(instrument, details) {
  if (!details?.base) return;
  const { base, quote, kind, contract_multiplier: multiplier, is_inverse: isInverse } = details;
  known.set(instrument, { base, quote, kind, multiplier: multiplier ?? null, isInverse: Boolean(isInverse) });
  keep("terms", Object.fromEntries([...known].slice(-200)));
}

/** An instrument's terms as far as they are known already: its assets, and what one contract is. */
export const knownTerms = (instrument) => known.get(instrument) ?? null;

/** The same, asked for once where nobody did yet; null where the API does not know it. */
export async function termsOf(instrument) {
  if (known.has(instrument) || !instrument.includes(":")) return knownTerms(instrument);
  if (!asked.has(instrument)) {
    asked.set(instrument, get(`/instruments/${instrumentPath(instrument)}`)
      .then((details) => noteTerms(instrument, details), () => asked.delete(instrument)));
  }
  await asked.get(instrument);
  return knownTerms(instrument);
}

/** What one unit of size is; null where that is not known. */
export function sizeUnit(terms) {
  if (!terms) return null;
  const { base, quote, multiplier, isInverse } = terms;
  if (multiplier === null) return isInverse ? t("unit.contracts") : base;
  return isInverse && decimal.compare(multiplier, "1") === 0 ? quote : t("unit.contracts");
}

/** What one contract is worth or holds, such as "100 USD"; null where there are none, or nobody knows. */
export function contractSize(terms) {
  if (!terms?.multiplier || decimal.sign(terms.multiplier) <= 0) return null;
  return withUnit(format.number(terms.multiplier), terms.isInverse ? terms.quote : terms.base);
}

/** A number with its unit, where that is known. */
export const withUnit = (text, unit) => (unit && text !== "–" ? `${text}\u00a0${unit}` : text);

/** The unit of a column, below its name. */
export const unitMark = (unit) => unit && [" ", h("span", { class: "unit" }, unit)];
