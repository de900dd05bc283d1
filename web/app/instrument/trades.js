/**
 * The newest trades; each stands out for 200 ms when it comes.
 * @module
 */
import { h, reconcile, paced } from "../dom.js";
import { t } from "../i18n.js";
import * as format from "../format.js";
import { sizeUnit, unitMark } from "../units.js";

const most = 30;

/** The trades of an instrument, live while its view is there. */
export class TradesPanel {
  #trades = [];
  #fresh = new Set();
  #count = 0;
  #body = h("tbody");

  constructor(instrument, terms, scope) {
    const units = { price: terms?.quote, amount: sizeUnit(terms) };
    this.element = h("section", { class: "panel trades", "aria-labelledby": "trades-title" },
      h("div", { class: "panel-head" }, h("h2", { id: "trades-title" }, t("trades.title"))),
      h("table", { class: "num" }, h("thead", {}, h("tr", {}, ["price", "amount", "time"].map((name) =>
        h("th", { scope: "col" }, t(`trades.${name}`), unitMark(units[name]))))), this.#body));
    const draw = paced(60, () => this.#draw());
    scope.subscribe("trades", instrument, ({ type, data }) => {
      if (!data) return;
      this.#take([data].flat(), type === "change");
      draw();
    });
  }

  /** They come oldest first: of trades of one moment the later stands above. */
  #take(trades, isNew) {
    if (!isNew) this.#trades = [];
    const known = new Set(this.#trades.map((trade) => trade.key));
    for (const trade of trades) {
      const key = trade.id ? `i${trade.id}` : `n${(this.#count += 1)}`;
      if (known.has(key)) continue;
      this.#trades.unshift({ ...trade, key });
      if (isNew) this.#fresh.add(key);
    }
    this.#trades.sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
    this.#trades.length = Math.min(this.#trades.length, most);
  }

  #draw() {
    reconcile(this.#body, this.#trades, (trade) => trade.key, (trade) => this.#row(trade));
    this.#fresh.clear();
  }

  #row(trade) {
    const row = h("tr", { class: trade.side, dataset: { price: trade.price, amount: trade.amount } },
      h("td", { class: "price" }, h("span", { class: "side", "aria-hidden": "true" },
        trade.side === "sell" ? "▾" : "▴"),
        h("span", { class: "visually-hidden" }, trade.side === "sell" ? t("side.sell") : t("side.buy")),
        format.price(trade.price)),
      h("td", {}, format.amount(trade.amount)), h("td", { class: "muted" }, format.when(trade.time, "time")));
    if (this.#fresh.has(trade.key)) {
      row.classList.add("fresh");
      setTimeout(() => row.classList.remove("fresh"), 200);
    }
    return row;
  }
}
