/**
 * A transaction from one line of words, in any order that makes sense:
 * `buy 0.5 BTC 30000 USD fee 12 USD 2026-01-31 @kraken first one`.
 * @module
 */
import { plain } from "../format.js";
import { transactionKinds } from "./transaction-fields.js";

const isNumber = (word) => /^\d+(\.\d+)?$/.test(word);
const isAsset = (word) => /^[A-Za-z][A-Za-z0-9.]{0,14}$/.test(word ?? "");

/** Whether somebody may have meant a day: then it is one, or it is wrong. A note it is not. */
const isDateLike = (word) => /^\d{1,4}([./-])\d{1,2}\1\d{1,4}/.test(word);

/** Whether it is a moment that the calendar knows; a browser takes 30 February for 2 March. */
function isTime(text) {
  const found = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z$/.exec(text);
  const time = found ? new Date(text) : new Date(NaN);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(found[1]);
}

/**
 * Reads the line.
 * @returns {{body?: object, fault?: "kind"|"amount"|"counter"|"fee"|"date"}} what is missing or wrong, when something is
 */
export function parseQuick(line) {
  const words = line.trim().split(/\s+/).filter(Boolean);
  const kind = words.shift()?.toLowerCase();
  if (!transactionKinds.includes(kind)) return { fault: "kind" };
  const body = { kind, time: new Date().toISOString().replace(/\.\d+Z$/, "Z") };
  if (!takePair(words, body, "")) return { fault: "amount" };
  const isTraded = ["buy", "sell", "swap"].includes(kind);
  if (!takePair(words, body, "counter_") && isTraded) return { fault: "counter" };
  const note = [];
  while (words.length) {
    const word = words.shift();
    if (word === "fee") {
      if (!takePair(words, body, "fee_")) return { fault: "fee" };
    } else if (isDateLike(word)) {
      const time = /^\d{4}-\d\d-\d\d$/.test(word) ? `${word}T00:00:00Z` : word;
      if (!isTime(time)) return { fault: "date" };
      body.time = time;
    } else if (/^@\S+$/.test(word)) {
      body[body.wallet ? "to_wallet" : "wallet"] = word.slice(1);
    } else {
      note.push(word);
    }
  }
  if (note.length) body.note = note.join(" ");
  return { body };
}

/** Takes an amount and its asset from the front, with or without a word such as "for" before them. */
function takePair(words, body, prefix) {
  const skipped = ["for", "at", "="].includes(words[0]) ? 1 : 0;
  const [typed, asset] = words.slice(skipped);
  const amount = plain(typed ?? "");
  if (!isNumber(amount) || !isAsset(asset) || asset === "fee") return false;
  words.splice(0, skipped + 2);
  body[`${prefix}amount`] = amount;
  body[`${prefix}asset`] = asset.toUpperCase();
  return true;
}
