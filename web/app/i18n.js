/**
 * Every text of the page, from one catalogue per language: `/i18n/<language>.json`, key to text. `{name}` is a
 * place for a value; a text with forms for numbers is an object of CLDR plural names. `page.direction`, "ltr" or "rtl",
 * is the direction in which the language is written.
 * @module
 */

/** Languages that have a catalogue, each in its own words. */
export const languages = { en: "English", es: "Español", de: "Deutsch", ja: "日本語" };

let catalogue = {};
let plurals = new Intl.PluralRules("en");

/** What texts and numbers are written in, such as "de-AT". */
export let locale = "en";

const catalogues = new Map();

/** The locale that fits best: the one that is wanted, else the browser's, else English. */
function fitting(wanted) {
  const candidates = [wanted, ...(navigator.languages ?? [])].filter(Boolean);
  return candidates.find((name) => languages[languageOf(name)]) ?? "en";
}

const languageOf = (name) => name.split("-")[0].toLowerCase();

/** The catalogue of the locale that fits best, asked for once. */
export function loadWords(wanted) {
  const language = languageOf(fitting(wanted));
  let words = catalogues.get(language);
  if (!words) {
    words = fetch(`/i18n/${language}.json`).then((answer) => {
      if (!answer.ok) throw new Error(`${answer.status} for the texts`);
      return answer.json();
    });
    catalogues.set(language, words);
    words.catch(() => catalogues.delete(language));
  }
  return words;
}

/** Uses the catalogue that fits a locale best. */
export async function useLocale(wanted) {
  const found = fitting(wanted);
  const language = languageOf(found);
  catalogue = await loadWords(wanted);
  locale = found;
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = found;
  document.documentElement.dir = t("page.direction");
}

/**
 * The text of a key with values in its places. A value `n` also chooses the form of the text.
 * @param {string} key
 * @param {Record<string, any>} [values]
 */
export function t(key, values) {
  let text = catalogue[key] ?? key;
  if (typeof text === "object") text = text[plurals.select(Number(values?.n ?? 0))] ?? text.other;
  return values ? filled(text, values) : text;
}

/** A text with values in its places. */
export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);

/** The text of a key that is put together with a word from outside; where there is none, that word. */
export const tOr = (key, word) => (has(key) ? t(key) : word);

/** Whether the catalogue has a text for a key that comes from outside, such as an error's code. */
export const has = (key) => Object.hasOwn(catalogue, key);
