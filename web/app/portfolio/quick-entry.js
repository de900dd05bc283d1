/**
 * A transaction from one line of words, in any order that makes sense:
 * `buy 0.5 BTC 30000 USD fee 12 USD 2026-01-31 14:30 @kraken first one`, or by the price of one:
 * `buy 0.5 BTC @ 60000 USD`.
 * @module
 */
import * as decimal from "../decimal.js";
import { plain } from "../format.js";
import { transactionKinds } from "./transaction-fields.js";

/** What people say for a kind of the ledger. */
const alsoCalled = { withdraw: "withdrawal", reward: "staking" };

/** Words before what was given or got for all of it, and before what was for each. */
const forAll = ["for", "="];
const forEach = ["@", "at"];

const isNumber = (word) => /^\d+(\.\d+)?$/.test(word);
const isAsset = (word) => /^[A-Za-z][A-Za-z0-9.]{0,14}$/.test(word ?? "");

/** Whether somebody may mean a day, or is about to: then it is one, or it is wrong. A note it is not. */
const isDateLike = (word) => /^\d{1,4}([./-])\d{1,2}\1\d{1,4}|^\d{4}-\d{0,2}$/.test(word);

/** The same of a time of day. */
const isClockLike = (word) => /^\d{1,2}:[\d:.]*Z?$/.test(word ?? "");

/** Whether it is a moment that the calendar knows; a browser takes 30 February for 2 March. */
function isTime(text) {
  const found = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z$/.exec(text);
  const time = found ? new Date(text) : new Date(NaN);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(found[1]);
}

/**
 * Reads the line.
 * @returns {{body?: object, fault?: "kind"|"amount"|"counter"|"fee"|"date"|"to"}} what is missing or wrong
 */
export function parseQuick(line) {
  const words = line.trim().split(/\s+/).filter(Boolean);
  const said = words.shift()?.toLowerCase();
  const kind = alsoCalled[said] ?? said;
  if (!transactionKinds.includes(kind)) return { fault: "kind" };
  const body = { kind, time: new Date().toISOString().replace(/\.\d+Z$/, "Z") };
  if (!takePair(words, body, "") || decimal.sign(body.amount) !== 1) return { fault: "amount" };
  const isTraded = ["buy", "sell", "swap"].includes(kind);
  const isPriced = takePrice(words, body, isTraded) || takePair(words, body, "counter_", forAll);
  if (!isPriced && isTraded || isTraded && body.counter_asset === body.asset) return { fault: "counter" };
  const note = [];
  while (words.length) {
    const word = words.shift();
    if (word === "fee") {
      if (!takePair(words, body, "fee_")) return { fault: "fee" };
    } else if (isDateLike(word) || isClockLike(word)) {
      const time = /^\d{4}-\d\d-\d\d$/.test(word) ? `${word}T${takeClock(words)}` : word;
      if (!isTime(time)) return { fault: "date" };
      body.time = time;
    } else if (word === "@" || isTraded && /^@\d+(\.\d+)?$/.test(word)) {
      // A price that is not all there yet, or not in its place.
      return { fault: "counter" };
    } else if (/^@\S+$/.test(word)) {
      body[body.wallet ? "to_wallet" : "wallet"] = word.slice(1);
    } else {
      note.push(word);
    }
  }
  if (kind === "transfer" && !body.to_wallet) return { fault: "to" };
  if (note.length) body.note = note.join(" ");
  return { body };
}

/** Takes the time of day behind a day, in UTC as all times of a ledger: "14:30" or "14:30:05"; midnight without one. */
function takeClock(words) {
  if (!isClockLike(words[0])) return "00:00:00Z";
  const said = words.shift().replace(/Z$/, "").replace(/^\d:/, "0$&");
  return `${said}${/^\d\d:\d\d$/.test(said) ? ":00" : ""}Z`;
}

/** Takes the price of one and its asset from the front: what all of it comes to is exact. */
function takePrice(words, body, isTraded) {
  const [first = ""] = words;
  const isApart = forEach.includes(first);
  // "@60000 USD" is a price of what is traded, "@kraken" a wallet, as "@2" is where nothing is paid.
  if (!isApart && !(isTraded && /^@\d/.test(first))) return false;
  const rest = isApart ? words.slice(1) : [first.slice(1), ...words.slice(1)];
  const each = {};
  if (!takePair(rest, each, "")) return false;
  words.splice(0, words.length, ...rest);
  body.counter_amount = decimal.trim(decimal.multiply(body.amount, each.amount));
  body.counter_asset = each.asset;
  return true;
}

/** Takes an amount and its asset from the front, with or without one of some words before them. */
function takePair(words, body, prefix, before = []) {
  const skipped = before.includes(words[0]) ? 1 : 0;
  const [typed, asset] = words.slice(skipped);
  const amount = plain(typed ?? "");
  if (!isNumber(amount) || !isAsset(asset) || asset === "fee") return false;
  words.splice(0, skipped + 2);
  body[`${prefix}amount`] = amount;
  body[`${prefix}asset`] = asset.toUpperCase();
  return true;
}
