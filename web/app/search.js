/**
 * Find an instrument: type, go through the answers by arrow keys, take one. Before anything is typed it shows what
 * is trending.
 * @module
 */
import { h, replace, paced } from "./dom.js";
import { t, tOr } from "./i18n.js";
import { get, itemsOf } from "./api.js";
import { explained } from "./problems.js";
import { openDialog } from "./dialog.js";

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
    const path = text ? `/instruments?q=${encodeURIComponent(text)}&limit=20` : "/trending?limit=12";
    try {
      let items = itemsOf(await get(path, { signal: this.#asked.signal }));
      if (!text && !items.length) items = itemsOf(await get("/tickers", { signal: this.#asked.signal }));
      this.#show(items.slice(0, 20), text);
    } catch (error) {
      if (error.name !== "AbortError") replace(this.#head, explained(error));
    }
  }

  #show(items, text) {
    this.#items = items.map((item) => item.instrument ?? `${item.venue}:${item.symbol}`);
    this.#found = !text ? t("search.trending")
      : items.length ? t("search.count", { n: items.length }) : t("search.none", { text });
    replace(this.#head, this.#found);
    replace(this.#list, items.map((item, index) => this.#option(item, index)));
    this.#move(items.length && text ? 0 : -1);
  }

  #option(item, index) {
    const instrument = this.#items[index];
    const pair = item.base && item.quote ? `${item.base}/${item.quote}` : "";
    return h("li", { role: "option", id: `result-${index}`, "aria-selected": "false", class: "result",
      onclick: () => this.#pick(index), onpointermove: () => this.#move(index) },
    h("span", { class: "symbol" }, item.symbol ?? instrument.split(":")[1]),
    h("span", { class: "venue" }, item.venue ?? instrument.split(":")[0]),
    h("span", { class: "muted grow" }, [pair, item.name, item.kind && tOr(`facts.kind.${item.kind}`, item.kind)].filter(Boolean).join(" · ")),
    this.has?.(instrument) && h("span", { class: "tag" }, t("search.listed")));
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
