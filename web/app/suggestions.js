/**
 * What moves most, to begin an empty watchlist with.
 * @module
 */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";
import { get, itemsOf } from "./api.js";
import { split } from "./quote-row.js";

/**
 * Buttons that pick one; none where nothing moves.
 * @param {AbortSignal} signal @param {(instrument: string) => void} onPick
 */
export async function suggestions(signal, onPick) {
  let items = itemsOf(await get("/trending?limit=6", { signal }));
  if (!items.length) items = itemsOf(await get("/tickers", { signal })).slice(0, 6);
  const names = items.map((item) => item.instrument ?? `${item.venue}:${item.symbol}`);
  return names.length ? [h("h2", { class: "small-head" }, t("watchlist.suggested")),
    h("div", { class: "chips" }, names.map((name) => h("button", { onclick: () => onPick(name) }, icon("plus"),
      split(name).symbol, h("span", { class: "muted" }, split(name).venue))))] : [];
}
