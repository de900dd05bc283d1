/**
 * Discover: what rises, falls, trends and is new, what categories do, and a map of what is worth most.
 * @module
 */
import { foreign, h, keepingFocus, replace, setText } from "../dom.js";
import { t } from "../i18n.js";
import * as format from "../format.js";
import { get } from "../api.js";
import { recall } from "../last-known.js";
import { showChange } from "../quote-row.js";
import { emptyState } from "../quote-table.js";
import { staleBanner } from "../stale-banner.js";
import { HeatMap } from "../discover/heat-map.js";
import { CoinList } from "../discover/coin-list.js";
import { filters, placeOfCategory, wanted } from "../discover/filters.js";

/** Milliseconds from one look at the market to the next. */
const pause = 10_000;
/** Categories that are shown. */
const mostCategories = 12;

/** Shows it. */
export async function show(root, { query, scope }) {
  const chosen = wanted(query);
  const read = () => get(`/discover${chosen}`, { signal: scope.signal });
  // What is kept for when there is no network is the whole, not each part that somebody once looked at.
  const first = chosen ? await read() : (await recall("/discover", { signal: scope.signal })).data;
  const view = new Discover(query, scope);
  replace(root, h("div", { class: "view-head" }, h("h1", {}, t("discover.title")),
    h("div", { class: "row end discover-filters" }, filters(query, first))), staleBanner(scope), view.element);
  view.show(first);
  scope.every(pause, async () => {
    // Whether the server is there is said elsewhere.
    const now = document.hidden ? null : await read().catch(() => null);
    if (now && !scope.isStopped) view.show(now);
  });
  return t("discover.title");
}

class Discover {
  #about = h("p", { class: "muted" });
  #map;
  #lists = {
    gainers: new CoinList("gainers"),
    losers: new CoinList("losers"),
    trending: new CoinList("trending", ({ score }) => t("discover.score", { score: format.count(score) })),
    newest: new CoinList("newest", ({ listed }) => listed && format.when(listed, "shortDay")),
  };
  #categories = h("ol", { class: "coin-list" });
  #board;
  element = h("div");

  constructor(query, scope) {
    this.query = query;
    this.#map = new HeatMap(scope);
    const categories = h("section", { class: "panel", "aria-labelledby": "categories-title",
      dataset: { list: "categories" } },
    h("div", { class: "panel-head" }, h("h2", { id: "categories-title" }, t("discover.categories"))), this.#categories);
    this.#board = h("div", { class: "stack" }, this.#about, this.#map.element, h("div", { class: "discover-grid" },
      Object.values(this.#lists).map(({ element }) => element), categories));
  }

  /** Shows what the server says. */
  show(told) {
    if (!told.coins) {
      const [title, text] = wanted(this.query) ? ["discover.noneTitle", "discover.none"]
        : ["discover.emptyTitle", "discover.empty"];
      this.#set(emptyState(t(title), t(text)));
      return;
    }
    this.#set(this.#board);
    setText(this.#about, t("discover.about", { n: told.coins, volume: `${format.compact(told.min_volume)} USD` }));
    this.#map.show(told.heat_map);
    for (const [name, list] of Object.entries(this.#lists)) {
      list.show(told[name], name === "newest" ? t("discover.nothingNew") : undefined);
    }
    const categories = told.categories.slice(0, mostCategories).map((one) => this.#category(one));
    keepingFocus(() => this.#categories, () => replace(this.#categories, categories));
  }

  #set(content) {
    if (this.element.firstElementChild !== content) replace(this.element, content);
  }

  #category({ name, coins, market_cap: value, change_percent: change }) {
    const shown = h("span", { class: "coin-change num" });
    showChange(shown, { change });
    return h("li", {}, h("a", { class: "coin-name plain", href: placeOfCategory(this.query, name) }, foreign(name),
      h("small", { class: "muted" }, t("discover.coins", { n: coins }))),
    h("span", { class: "coin-price num" }, `${format.compact(value)} USD`), shown);
  }
}
