/**
 * The best levels of a book, kept from a snapshot and its changes.
 * @module
 */
import * as decimal from "../decimal.js";

/** Bids and asks, best first. */
export class BookState {
  bids = [];
  asks = [];
  state = "unknown";
  reason = "";

  /** Takes the whole. */
  snapshot(data) {
    this.bids = data.bids ?? [];
    this.asks = data.asks ?? [];
    this.#note(data);
  }

  /** Takes changed levels; size 0 removes one. */
  change(data) {
    this.bids = merge(this.bids, data.bids ?? [], -1);
    this.asks = merge(this.asks, data.asks ?? [], 1);
    this.#note(data);
  }

  #note(data) {
    this.state = data.state ?? this.state;
    this.reason = data.reason ?? "";
  }
}

function merge(levels, changes, way) {
  if (!changes.length) return levels;
  const sizes = new Map(levels.map((level) => [level[0], level]));
  for (const level of changes) {
    if (decimal.sign(level[1]) === 0) sizes.delete(level[0]);
    else sizes.set(level[0], level);
  }
  return [...sizes.values()].sort((a, b) => way * decimal.compare(a[0], b[0]));
}

/** Levels with what is there up to each of them: price, size, total. */
export function accumulated(levels, most) {
  let total = "0";
  return levels.slice(0, most).map(([price, size]) => {
    total = decimal.add(total, size) ?? total;
    return { price, size, total };
  });
}

/** Levels joined into steps of price; bids downwards, asks upwards. */
export function grouped(levels, step, isAsk) {
  if (!step) return levels;
  const sums = new Map();
  for (const [price, size] of levels) {
    const edge = decimal.snap(price, step, isAsk) ?? price;
    sums.set(edge, decimal.add(sums.get(edge) ?? "0", size));
  }
  return [...sums];
}

/** Only levels so near to the middle, in percent. */
export function near(levels, mid, percent) {
  if (!percent || !mid) return levels;
  const limit = decimal.multiply(mid, decimal.divide(percent, "100", 8));
  return levels.filter(([price]) => {
    const away = decimal.subtract(price, mid);
    return decimal.compare(away.replace("-", ""), limit) <= 0;
  });
}

/** The middle between the best bid and ask, or null. */
export function middle({ bids, asks }) {
  if (!bids.length || !asks.length) return null;
  return decimal.trim(decimal.divide(decimal.add(bids[0][0], asks[0][0]), "2",
    decimal.places(bids[0][0]) + 1));
}

/** Steps that suit a price: powers of ten, two and five times those. */
export function steps(tickPlaces, price) {
  const length = (price ?? "1").split(".")[0].length;
  const list = [];
  for (let exponent = -tickPlaces; exponent < Math.max(length - 1, 1); exponent += 1) {
    const unit = exponent < 0 ? `0.${"0".repeat(-exponent - 1)}1` : `1${"0".repeat(exponent)}`;
    list.push(unit, decimal.multiply(unit, "5"));
  }
  return list.slice(1, 9);
}
