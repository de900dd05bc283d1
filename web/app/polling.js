/**
 * The stream's channels by REST, for networks that let no WebSocket through.
 * @module
 */
import { get, instrumentPath, itemsOf, NetworkError } from "./api.js";

/** Milliseconds between two rounds; asking oftener is not worth its load. */
const pause = 3_000;
/** Quotes that one question is for at most; one for each would be more than an address may ask. */
const most = 100;

/** How each channel is asked for; what is not here is only live. */
const questions = {
  book: (key) => get(`/books/${instrumentPath(key)}?depth=25`),
  // The stream's are oldest first.
  trades: async (key) => itemsOf(await get(`/trades/${instrumentPath(key)}?limit=30`)).reverse(),
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

/** The questions of a round; each gives its subscriptions with what is to be told them. */
function* questionsOf(subscriptions) {
  const quotes = subscriptions.filter(({ channel }) => channel === "ticker");
  for (let start = 0; start < quotes.length; start += most) {
    const part = quotes.slice(start, start + most);
    yield async () => {
      const names = part.map(({ key }) => key).join(",");
      const items = itemsOf(await get(`/tickers?instruments=${encodeURIComponent(names)}`));
      const known = new Map(items.map((one) => [one.instrument, one]));
      // Of some nobody speaks yet.
      return part.filter(({ key }) => known.has(key)).map((one) => [one, known.get(one.key)]);
    };
  }
  for (const one of subscriptions) {
    if (questions[one.channel]) yield async () => [[one, await questions[one.channel](one.key)]];
  }
}

/**
 * Asks for every subscription again and again.
 * @param {() => {channel: string, key: string, handle: Function}[]} subscriptions
 * @param {(isAnswered: boolean) => void} report said after each round
 * @returns {() => void} ends it
 */
export function poll(subscriptions, report) {
  let isStopped = false;
  const round = async () => {
    let [asked, answers, unreached] = [0, 0, 0];
    for (const ask of questionsOf(subscriptions())) {
      if (isStopped) return;
      asked += 1;
      try {
        const told = await ask();
        answers += 1;
        for (const [{ handle }, data] of told) if (!isStopped) handle({ type: "snapshot", data });
      } catch (error) {
        // The next round asks again.
        if (error instanceof NetworkError) unreached += 1;
      }
    }
    if (isStopped) return;
    // A gateway that refuses everything is not there either.
    report(unreached === 0 && (answers > 0 || asked === 0));
    setTimeout(round, pause);
  };
  round();
  return () => {
    isStopped = true;
  };
}
