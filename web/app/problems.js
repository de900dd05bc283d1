/**
 * What the API refused, in words for people. The API says it in English: what its stable codes and its texts of
 * what is accepted mean is said in the reader's own words, and only what is not known there stays English, marked
 * as such.
 * @module
 */
import { foreign } from "./dom.js";
import { t, has, locale } from "./i18n.js";
import { ApiError, NetworkError } from "./api.js";
import * as format from "./format.js";

const names = (text) => format.list(text.split(/", "|, /).map((name) => name.replaceAll("\"", "")), "disjunction");
const says = (key, ...places) => (found) =>
  t(`problem.says.${key}`, Object.fromEntries(places.map((place, index) => [place, found[index + 1]])));

/** What the API's words are known to say, and what is said instead; the first that fits counts. */
const known = [
  [/is missing$|^a text in quotes$|^the name of a wallet$/, () => t("form.required")],
  [/is not a time such as|a time with its zone|RFC 3339|ISO 8601/, () => t("problem.time")],
  [/wallet "(.+)" is short of (\S+) (\S+) at \S+: it holds (\S+) and (\S+) leave/,
    ([, wallet, , asset, held, leaving]) =>
      t("problem.short", { wallet, asset, held: format.number(held), leaving: format.number(leaving) })],
  [/^the last code that was sent/, says("channelCode")],
  [/https URL/, says("url")], [/address such as \S+@/, says("email")], [/invitation's link/, says("invitation")],
  [/six digits|code is wrong/, says("code")], [/one or more of account:/, says("scopes")],
  [/zone of the IANA|such as Europe\/Berlin/, says("zone")], [/currency of ISO 4217/, says("currency")],
  [/^a time of day/, says("clock")], [/^two times of day|^two different times/, says("hours")],
  [/an instant that is to come|^a time to come/, says("future")],
  [/none of your (?:lists|portfolios) has|^you have a channel/, says("taken")],
  [/^one line of|^1 to \d+ bytes|of 1\.\.\.\d+ bytes/, says("line")],
  [/at most \d+ bytes|at most \d+ characters/, says("long")],
  [/^(?:a whole number(?: of|,)? ?)?(-?\d+)\.\.\.(\d+)$/, says("range", "low", "high")],
  [/^a whole number$/, says("whole")],
  [/above "fast", which is (\S+)/, says("aboveFast", "value")],
  [/above "low", which is (\S+)/, ([, value]) => t("problem.says.aboveLow", { value: format.number(value) })],
  [/^a decimal of (-?\d+)\.\.\.(\d+)/, says("range", "low", "high")],
  [/decimal of at most (\d+) places/, says("places", "n")],
  [/decimal above 0/, says("positive")], [/decimal of 0 or more|^a decimal in quotes, not negative/, says("notNegative")],
  [/is negative|more than \d+ digits|is not a (?:number|decimal)|^a decimal$/, () => t("problem.number")],
  [/^a whole number with .*, (?:0s|1ns)\.\.\.(\S+)$/, ([, high]) => t("problem.says.most", { high: format.length(high) })],
  [/^a whole number with .*, (\S+?)\.\.\.(\S+)$/,
    ([, low, high]) => t("problem.says.duration", { low: format.length(low), high: format.length(high) })],
  [/an asset that is traded/, says("unknownAsset")], [/name of an asset/, says("asset")],
  [/asset is the asset itself/, says("sameAsset")], [/is the wallet that the transfer starts/, says("sameWallet")],
  [/no mark price of (\S+) is read/, says("noMark", "venue")],
  [/<venue>:<symbol>|^VENUE:SYMBOL/, () => t("alert.help.instrument")],
  [/an instrument that is known; nearest are (.+)$/, ([, near]) => t("problem.says.near", { names: names(near) })],
  [/an instrument that is known/, says("unknownInstrument")],
  [/^a venue such as/, () => t("alert.help.venue")],
  [/^any of (.+), whose instruments/, ([, some]) => t("problem.says.oneOf", { names: names(some) })],
  [/^(?:any of )?(".+")$/, ([, some]) => t("problem.says.oneOf", { names: names(some) })],
  [/URL that begins with (https:\/\/\S+)/, says("begins", "start")],
  [/chat's number/, says("chat")], [/bot's token/, says("botToken")], [/letters, digits, hyphens/, says("topic")],
  [/unknown column|no header of/, says("header")],
  [/shares that sum/, says("shares")], [/share above 0/, () => t("plan.shareHint")],
  [/^at most (\d+) (?:lists|entries)/, says("full", "n")],
  [/address or the password is wrong/, says("wrongSignIn")], [/password is wrong/, says("wrongPassword")],
  [/passkey is not known/, says("unknownPasskey")], [/link was used or is over/, says("usedLink")],
];

/** The words for what the API says, where they are known. */
function inOwnWords(...texts) {
  for (const text of texts) {
    for (const [pattern, words] of known) {
      const found = pattern.exec(text ?? "");
      // A unit that is short for a word ends in a point of its own.
      if (found) return words(found).replace(/([^.])\.\.$/, "$1.");
    }
  }
  return null;
}

/** What the reader knows a field of the API as. */
function labelOf(field) {
  const name = field.split(/[.[/]/).filter(Boolean).at(-1);
  const key = ["transaction", "alert", "account"].map((family) => `${family}.${name}`)
    .concat(["transaction", "alert", "channel"].map((family) => `${family}.field.${name}`)).findLast(has);
  return key && typeof t(key) === "string" ? t(key) : field;
}

const refusals = { NotAllowedError: "passkey.cancelled", InvalidStateError: "passkey.there",
  SecurityError: "security.passkeysElsewhere" };

/** Stands for the API's English in a text of ours while it is put together. */
const place = "\u0000";

/** Texts of ours and, in objects, of the API. */
function pieces(error, label) {
  if (error instanceof NetworkError) return [t("problem.network")];
  // The browser's own names for what became of a passkey (WebAuthn, 5.1.3 and 5.1.4).
  if (error instanceof DOMException && refusals[error.name]) return [t(refusals[error.name])];
  if (!(error instanceof ApiError)) return [t("problem.internal")];
  const { code, detail, field, accepted } = { ...error.problem, code: error.code };
  if (code === "weak-password") return [t("problem.weak-password")];
  const own = inOwnWords(accepted, detail);
  if (own) return [field && !label ? t("problem.at", { field: labelOf(field), problem: own }) : own];
  // Of a file the place comes first: there its field is found.
  if (/^line \d/.test(detail)) return [{ said: detail }];
  if (field && accepted) {
    const [before, after] = t("problem.field", { field: label ?? labelOf(field), accepted: place }).split(place);
    return [before, { said: accepted }, after];
  }
  if (code === "rate-limited" || code === "throttled") return [t("problem.slower", { n: error.retryAfter || 60 })];
  const key = `problem.${code}`;
  // What the API says in its own words names the very thing; ours is for what it says nothing of.
  const general = has(key) ? t(key) : null;
  if (code === "internal" || !detail) return [general ?? t("problem.internal")];
  // Only English is what it says in; others are told at least what it is about.
  return general && !locale.startsWith("en") ? [general] : [{ said: detail }];
}

/**
 * An error in words for people, as text.
 * @param {string} [label] of the field that stands above these words
 */
export const explain = (error, label) => pieces(error, label).map((piece) => piece.said ?? piece).join("");

/** The same to be shown: what is left in English says so, to who hears it and to who translates it. */
export const explained = (error, label) =>
  pieces(error, label).map((piece) => (piece.said ? foreign(piece.said) : piece));
