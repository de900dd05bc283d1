/**
 * The candles of a chart: those of a range, older ones as somebody goes back, and the live last one.
 * @module
 */
import { get, instrumentPath, itemsOf } from "../api.js";
import { recall } from "../last-known.js";

/** The ranges, shortest first. */
export const ranges = ["1H", "1D", "1W", "1M", "3M", "6M", "1Y"];

/** How long a candle may be, shortest first. */
export const intervals = ["1s", "1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w"];

/** Of an interval that somebody chose, so many are read at first. */
const count = 300;

const seconds = (candle) => Math.floor(Date.parse(candle.start) / 1000);

/**
 * Candles of one instrument, oldest first, each start once: those of a range, which has an interval, or the newest of
 * an interval.
 */
export class Candles {
  items = [];
  interval = "1m";
  isOld = false;
  #hasMore = true;
  #isAsking = false;

  /** @param {{ range?: string, interval?: string }} span one of both */
  constructor(instrument, span, scope) {
    this.path = `/candles/${instrumentPath(instrument)}`;
    this.instrument = instrument;
    this.span = span;
    // Also where the first reading fails: what comes live is of this length.
    this.interval = span.interval ?? this.interval;
    this.scope = scope;
  }

  /** Reads them. */
  async load() {
    const { range, interval } = this.span;
    const query = interval ? `interval=${interval}&limit=${count}&live=true` : `range=${range}`;
    const { data, isOld } = await recall(`${this.path}?${query}`, { signal: this.scope.signal });
    this.interval = data.interval ?? interval ?? "1m";
    this.isOld = isOld;
    this.items = sorted(itemsOf(data));
    // A server that began a moment ago has minutes at most: better these than an empty chart.
    if (!interval && this.items.length < 5 && this.interval !== "1m" && !isOld) await this.#loadMinutes();
  }

  async #loadMinutes() {
    const minutes = await get(`${this.path}?interval=1m&limit=500`, { signal: this.scope.signal });
    if (itemsOf(minutes).length <= this.items.length) return;
    this.interval = "1m";
    this.items = sorted(itemsOf(minutes));
  }

  /** Reads what was before; true when there was something. */
  async loadOlder() {
    if (!this.#hasMore || this.#isAsking || !this.items.length) return false;
    this.#isAsking = true;
    try {
      const to = encodeURIComponent(this.items[0].start);
      const path = `${this.path}?interval=${this.interval}&to=${to}&limit=500`;
      const older = sorted(itemsOf(await get(path, { signal: this.scope.signal })))
        .filter((candle) => candle.seconds < this.items[0].seconds);
      this.#hasMore = older.length > 0;
      this.items = [...older, ...this.items];
      return this.#hasMore;
    } finally {
      this.#isAsking = false;
    }
  }

  /** Reads what came while there was no connection; false where that is more than can be joined to what is there. */
  async catchUp() {
    const path = `${this.path}?interval=${this.interval}&limit=500&live=true`;
    const newest = sorted(itemsOf(await get(path, { signal: this.scope.signal })));
    if (!this.items.length || (newest.length && this.isBefore(newest[0]))) return false;
    this.items = sorted([...this.items, ...newest]);
    this.isOld = false;
    return true;
  }

  /** Whether all of them are of before a candle. */
  isBefore(candle) {
    return this.items.length > 0 && this.items.at(-1).seconds < seconds(candle);
  }

  /**
   * Takes a candle that is newer than the last, one of the last two with other numbers, or one that belongs between
   * them.
   * @returns {"last" | "earlier" | null} which place of the chart has to be drawn again
   */
  take(candle) {
    const taken = { ...candle, seconds: seconds(candle) };
    const last = this.items.at(-1);
    if (!last || taken.seconds > last.seconds) {
      this.items.push(taken);
      return "last";
    }
    const place = this.items.findLastIndex((item) => item.seconds <= taken.seconds);
    const known = this.items[place];
    const isKnown = known?.seconds === taken.seconds;
    if (place < this.items.length - 2 || (isKnown && numbers.every((name) => known[name] === taken[name]))) return null;
    // One that was not stored yet when the others were read has its place before the last.
    if (isKnown) this.items[place] = taken;
    else this.items.splice(place + 1, 0, taken);
    return isKnown && known === last ? "last" : "earlier";
  }
}

const numbers = ["open", "high", "low", "close", "volume"];

function sorted(items) {
  const known = new Map(items.map((candle) => [seconds(candle), candle]));
  return [...known].sort((a, b) => a[0] - b[0]).map(([time, candle]) => ({ ...candle, seconds: time }));
}
