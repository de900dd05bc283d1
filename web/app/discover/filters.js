/**
 * Of which coins somebody wants to see more: of a category, of what an exchange trades. Both are in the address, so
 * that the way back leads to what was shown before.
 * @module
 */
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { go } from "../navigation.js";

const names = ["category", "exchange"];

/** The part of an address behind its question mark that says what is wanted; empty for everything. */
export function wanted(query, change = {}) {
  const chosen = new URLSearchParams();
  for (const name of names) {
    const value = name in change ? change[name] : query.get(name);
    if (value) chosen.set(name, value);
  }
  return chosen.size ? `?${chosen}` : "";
}

/** Where the view shows a category, and else what it shows now. */
export const placeOfCategory = (query, category) => `/#/discover${wanted(query, { category })}`;

/**
 * A choice for each.
 * @param {{categories: {name: string}[], exchanges: string[]}} known what there is
 */
export function filters(query, known) {
  const offered = { category: known.categories.map(({ name }) => name), exchange: known.exchanges };
  return names.map((name) => {
    const chosen = query.get(name) ?? "";
    const values = [...new Set([chosen, ...offered[name]])].filter(Boolean);
    return h("select", { "aria-label": t(`discover.${name}`), name,
      onchange: ({ target }) => go(`/discover${wanted(query, { [name]: target.value })}`) },
    h("option", { value: "" }, t(`discover.every.${name}`)),
    // Names of others, in English or no language at all.
    values.map((value) => h("option", { value, lang: "en", selected: value === chosen }, value)));
  });
}
