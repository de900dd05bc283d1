/**
 * The stream's channels by REST, for networks that let no WebSocket through.
 * @module
 */
import { get, instrumentPath, itemsOf, NetworkError } from "./api.js";

/** Milliseconds between two rounds; asking oftener is not worth its load. */
const pause = 3_000;

/** How each channel is asked for; what is not here is only live. */
const questions = {
  ticker: (key) => get(`/tickers/${instrumentPath(key)}`),
  book: (key) => get(`/books/${instrumentPath(key)}?depth=25`),
  trades: async (key) => itemsOf(await get(`/trades/${instrumentPath(key)}?limit=30`)),
  candles: async (key) => {
    const slash = key.indexOf("/");
    // The one before as well: it may have ended since the last round.
    const path = `/candles/${instrumentPath(key.slice(slash + 1))}?interval=${key.slice(0, slash)}&limit=2&live=true`;
    return itemsOf(await get(path));
  },
  index: (key) => get(`/index/${key}`),
  venues: async () => itemsOf(await get("/venues")),
  trending: async () => itemsOf(await get("/trending")),
  status: () => get("/status"),
  watchlist: async (key) => (await get(`/watchlists/${key}?quotes=true`)).entries,
  alerts: async () => itemsOf(await get("/firings?limit=20")),
  portfolio: (key) => get(`/portfolios/${key}/valuation`),
};

/**
 * Asks for every subscription again and again.
 * @param {() => {channel: string, key: string, handle: Function}[]} subscriptions
 * @param {(isAnswered: boolean) => void} report said after each round
 * @returns {() => void} ends it
 */
export function poll(subscriptions, report) {
  let isStopped = false;
  const round = async () => {
    let [answers, unreached] = [0, 0];
    const asked = subscriptions().filter(({ channel }) => questions[channel]);
    for (const subscription of asked) {
      if (isStopped) return;
      try {
        const data = await questions[subscription.channel](subscription.key);
        answers += 1;
        if (!isStopped) subscription.handle({ type: "snapshot", data });
      } catch (error) {
        // The next round asks again.
        if (error instanceof NetworkError) unreached += 1;
      }
    }
    if (isStopped) return;
    // A gateway that refuses everything is not there either.
    report(unreached === 0 && (answers > 0 || asked.length === 0));
    setTimeout(round, pause);
  };
  round();
  return () => {
    isStopped = true;
  };
}
