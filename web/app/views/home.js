/**
 * Home: the watchlists of who is signed in; without an account the market as it is.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { itemsOf, get, NetworkError } from "../api.js";
import { recall } from "../last-known.js";
import { session } from "../session.js";
import { note } from "../quotes.js";
import { QuoteTable, emptyState } from "../quote-table.js";
import { staleBanner } from "../stale-banner.js";

/** Shows it. */
export async function show(root, context) {
  if (session.user) {
    const { showWatchlists } = await import("../watchlists.js");
    return await showWatchlists(root, context);
  }
  const { scope } = context;
  const { tickers, time } = await market(scope.signal);
  tickers.forEach((ticker) => note(ticker, ticker.instrument, time));
  const table = new QuoteTable(scope, { label: t("market.title") });
  table.show(tickers.map((ticker) => ticker.instrument ?? `${ticker.venue}:${ticker.symbol}`));
  replace(root, h("div", { class: "view-head" }, h("h1", {}, t("market.title")),
    h("p", { class: "muted" }, t("market.about"))),
  staleBanner(scope),
  tickers.length ? h("div", { class: "panel flush" }, table.element)
    : emptyState(t("market.emptyTitle"), t("market.empty")));
  return t("market.title");
}

/** The tickers that there are, and when they came; of what moves most where the API names no others. */
async function market(signal) {
  try {
    const { data, time } = await recall("/tickers", { signal });
    return { tickers: itemsOf(data), time };
  } catch (error) {
    if (error instanceof NetworkError || error.name === "AbortError") throw error;
  }
  const found = itemsOf(await get("/instruments?limit=100", { signal }));
  const names = found.map((item) => item.instrument).join(",");
  return { tickers: names ? itemsOf(await get(`/tickers?instruments=${encodeURIComponent(names)}`, { signal })) : [] };
}
