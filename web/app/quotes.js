/**
 * The newest quote of each instrument that somebody looks at, live while it is looked at, kept for when the
 * connection is gone.
 * @module
 */
import { stream } from "./stream.js";
import { keep, kept } from "./last-known.js";
import { paced } from "./dom.js";
import * as decimal from "./decimal.js";

const quotes = new Map(Object.entries(kept("quotes")?.data ?? {}));
const followers = new Map();

const save = paced(5_000, () => {
  const newest = [...quotes].sort((a, b) => b[1].seen - a[1].seen).slice(0, 200);
  keep("quotes", Object.fromEntries(newest));
});

/**
 * One form for every ticker of the API.
 *
 * `change` is in percent of the price 24 hours ago; high, low, volume and the count of trades are of those hours;
 * `incomplete` says that less than those hours is known, and that all of these are of what is known;
 * of a derivative `mark`, `index`, `funding` (a fraction, paid at `fundingTime`) and `openInterest` with its unit are
 * the venue's word; `stale` says why the numbers are not of now; `origin` what stands behind the price, `source` what
 * the figures of those hours are made of; `seen` is when they came, in milliseconds.
 */
export function readQuote(raw, instrument = raw.instrument, seen = Date.now()) {
  const last = raw.last ?? raw.price ?? null;
  return {
    instrument: instrument ?? `${raw.venue}:${raw.symbol}`,
    last,
    bid: raw.bid ?? null,
    ask: raw.ask ?? null,
    change: raw.change_percent ?? null,
    open: raw.open ?? null,
    high: raw.high ?? null,
    low: raw.low ?? null,
    volume: raw.volume ?? null,
    quoteVolume: raw.quote_volume ?? null,
    trades: raw.trades ?? null,
    mark: raw.mark_price ?? null,
    index: raw.index_price ?? null,
    funding: raw.funding_rate ?? null,
    fundingTime: raw.next_funding_time ?? null,
    openInterest: raw.open_interest ?? null,
    openInterestUnit: raw.open_interest_unit ?? null,
    // A ticker of the whole says it; a small message says nothing of it.
    incomplete: raw.incomplete ?? null,
    // An answer that was kept before the name changed says `heard`.
    time: raw.received_time ?? raw.heard ?? raw.last_trade_time ?? raw.time ?? null,
    state: raw.book_state ?? raw.state ?? null,
    stale: raw.stale ?? null,
    origin: raw.origin ?? null,
    source: raw.source ?? null,
    seen,
  };
}

/** The price to show: the last trade, else the best bid; with as many places as any price of it had. */
export function shownPrice(quote) {
  return even(quote, quote?.last ?? quote?.bid ?? null);
}

/** A price of an instrument with as many places as its others. */
export const even = (quote, price) =>
  price && decimal.round(price, Math.max(quote.places ?? 0, decimal.places(price)));

/** The newest quote of an instrument, or undefined. */
export const quoteOf = (instrument) => quotes.get(instrument);

/** Takes a ticker that came with another answer; `seen` is when, where that answer is an old one. */
export function note(raw, instrument, seen = Date.now()) {
  if (!raw) return;
  const quote = readQuote(raw, instrument, seen);
  const before = quotes.get(quote.instrument);
  if (before?.seen > seen) return;
  // A small message says little: what it leaves out holds.
  for (const name of Object.keys(quote)) if (name !== "stale") quote[name] ??= before?.[name] ?? null;
  // The API leaves zeros out at the end; a price that changes its length is hard to read.
  const prices = [quote.last, quote.bid, quote.ask].filter(Boolean);
  quote.places = Math.max(before?.places ?? 0, ...prices.map(decimal.places));
  quotes.set(quote.instrument, quote);
  followers.get(quote.instrument)?.handlers.forEach((handle) => handle(quote, before));
  save();
}

/** Milliseconds until a subscription that the server refused is tried again: others may have ended since. */
const patience = 30_000;

/**
 * Follows an instrument's quote; the handler hears the new and the former one.
 * @returns {() => void} ends it
 */
export function follow(instrument, handle) {
  let follower = followers.get(instrument);
  if (!follower) {
    follower = { handlers: new Set() };
    followers.set(instrument, follower);
    ask(instrument, follower);
  }
  follower.handlers.add(handle);
  const known = quotes.get(instrument);
  if (known) handle(known, known);
  return () => {
    follower.handlers.delete(handle);
    if (follower.handlers.size || followers.get(instrument) !== follower) return;
    followers.delete(instrument);
    clearTimeout(follower.timer);
    follower.end();
  };
}

function ask(instrument, follower) {
  follower.end = stream.subscribe("ticker", instrument, ({ type, data }) => {
    follower.isRefused = type === "error";
    clearTimeout(follower.timer);
    if (follower.isRefused) {
      follower.timer = setTimeout(() => {
        follower.end();
        ask(instrument, follower);
      }, patience);
    }
    if (data) note(data, instrument);
  });
}

/** Whether what the server says of an instrument comes here: not where nobody follows it, nor where it was refused. */
export function isFollowed(instrument) {
  const follower = followers.get(instrument);
  return Boolean(follower) && !follower.isRefused;
}
