/**
 * Find an instrument: type, go through the answers by arrow keys, take one. A coin by its name or code comes first,
 * as its best market; its other markets are below. Before anything is typed it shows what is trending.
 * @module
 */
import { h, replace, paced } from "./dom.js";
import { t, tOr } from "./i18n.js";
import { get, itemsOf } from "./api.js";
import { explained } from "./problems.js";
import { coinIcon } from "./coin-icon.js";
import * as format from "./format.js";
import { split } from "./quote-row.js";
import { openDialog } from "./dialog.js";

/** Coins that are offered by their best market. */
const mostCoins = 3;

/**
 * Opens the search.
 * @param {{onPick: (instrument: string) => any, title?: string, has?: (instrument: string) => boolean,
 *   isMany?: boolean}} options `isMany` keeps it open for the next one, and says
 *   what became of what `onPick` promised
 */
export function openSearchDialog({ onPick, title, has, isMany = false }) {
  return openDialog(title ?? t("search.open"), (close) => {
    const search = new Search((instrument) => {
      const picked = onPick(instrument);
      if (!isMany) close();
      return picked;
    }, has);
    return search.element;
  }, { class: "search-dialog" });
}

class Search {
  #list = h("ul", { id: "search-results", role: "listbox", class: "results",
    "aria-label": t("search.results") });
  #head = h("p", { class: "small-head", role: "status" });
  #found = "";
  #items = [];
  #active = -1;
  #asked = null;

  constructor(onPick, has) {
    this.onPick = onPick;
    this.has = has;
    this.input = h("input", { type: "search", class: "search-input", placeholder: t("search.placeholder"),
      "aria-label": t("search.open"), autocomplete: "off", spellcheck: "false", role: "combobox",
      "aria-expanded": "true", "aria-controls": "search-results", autofocus: true });
    const ask = paced(180, () => this.#ask());
    this.input.addEventListener("input", () => {
      // What is shown is of the former text: Enter takes none of it.
      this.#asked.abort();
      this.#move(-1);
      ask();
    });
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.element = h("div", { class: "search" }, this.input, this.#head, this.#list);
    this.#ask();
  }

  async #ask() {
    const text = this.input.value.trim();
    this.#asked?.abort();
    this.#asked = new AbortController();
    const { signal } = this.#asked;
    try {
      if (text) return this.#show(...(await found(text, signal)), text);
      let items = itemsOf(await get("/trending?limit=12", { signal }));
      if (!items.length) items = itemsOf(await get("/tickers", { signal }));
      return this.#show([], items.slice(0, 20), text);
    } catch (error) {
      if (error.name !== "AbortError") replace(this.#head, explained(error));
    }
  }

  #show(coins, items, text) {
    this.#items = [...coins.map(({ market }) => market),
      ...items.map((item) => item.instrument ?? `${item.venue}:${item.symbol}`)];
    const n = this.#items.length;
    this.#found = !text ? t("search.trending") : n ? t("search.count", { n }) : t("search.none", { text });
    replace(this.#head, this.#found);
    const contents = [...coins.map(ofCoin), ...items.map(ofInstrument)];
    replace(this.#list, contents.map((content, index) => this.#option(content, index)));
    this.#move(n && text ? 0 : -1);
  }

  #option(content, index) {
    return h("li", { role: "option", id: `result-${index}`, "aria-selected": "false", class: "result",
      onclick: () => this.#pick(index), onpointermove: () => this.#move(index) }, content,
    this.has?.(this.#items[index]) && h("span", { class: "tag" }, t("search.listed")));
  }

  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.#move((this.#active + step + this.#items.length) % this.#items.length);
    else if (event.key === "Enter" && this.#active >= 0) this.#pick(this.#active);
    else return;
    event.preventDefault();
  }

  #move(index) {
    this.#list.children[this.#active]?.setAttribute("aria-selected", "false");
    this.#active = Number.isNaN(index) ? -1 : index;
    const option = this.#list.children[this.#active];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) this.input.setAttribute("aria-activedescendant", option.id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  async #pick(index) {
    const instrument = this.#items[index];
    if (!instrument) return;
    const option = this.#list.children[index];
    try {
      await this.onPick(instrument);
    } catch (error) {
      // Here and not on the page, which a dialog hides from who hears and covers for who sees.
      return replace(this.#head, explained(error));
    }
    replace(this.#head, this.#found);
    if (!this.has || option.querySelector(".tag")) return;
    option.append(h("span", { class: "tag" }, t("search.listed")));
  }
}

/** The coins that a text means, each with its best market, and the other instruments that it finds. */
async function found(text, signal) {
  const words = encodeURIComponent(text);
  // That a coin's name is taken is a courtesy: its markets are found without it, too.
  const [coins, items] = await Promise.all([
    get(`/coins?q=${words}&limit=20`, { signal }).then(itemsOf, () => []),
    get(`/instruments?q=${words}&limit=20`, { signal }).then(itemsOf),
  ]);
  const meant = text.toLowerCase();
  const isExact = ({ id, symbol, name }) => [id, symbol, name].some((one) => one.toLowerCase() === meant);
  const listed = coins.filter(({ market }) => market);
  const offered = [...listed.filter(isExact), ...listed.filter((coin) => !isExact(coin))].slice(0, mostCoins);
  const best = new Set(offered.map(({ market }) => market));
  return [offered, items.filter(({ instrument }) => !best.has(instrument))];
}

function ofCoin({ symbol, name, market, price }) {
  return [coinIcon(symbol), h("span", { class: "symbol" }, name), h("span", { class: "venue" }, symbol),
    h("span", { class: "muted grow" }, t("search.best", { market })),
    price && h("span", { class: "num" }, format.price(price))];
}

function ofInstrument(item) {
  const { venue, symbol } = split(item.instrument ?? `${item.venue}:${item.symbol}`);
  const pair = item.base && item.quote ? `${item.base}/${item.quote}` : "";
  const kind = item.kind && tOr(`facts.kind.${item.kind}`, item.kind);
  return [coinIcon(item.base), h("span", { class: "symbol" }, symbol), h("span", { class: "venue" }, venue),
    h("span", { class: "muted grow" }, [pair, item.name, kind].filter(Boolean).join(" · "))];
}
