/**
 * A short list of coins: what each is called, what it costs and how that changed.
 * @module
 */
import { h, reconcile, replace, setText } from "../dom.js";
import { t } from "../i18n.js";
import * as format from "../format.js";
import { coinIcon } from "../coin-icon.js";
import { showChange, showOrigin } from "../quote-row.js";

/** The address of a market's view. */
export const placeOf = (market) => `/#/instrument/${market}`;

/** The list, below its name. */
export class CoinList {
  #rows = h("ol", { class: "coin-list" });
  #none = h("p", { class: "muted" });
  element;

  /**
   * @param {string} name such as `gainers`
   * @param {(coin: any) => string | null} [remark] what else is said of a coin
   */
  constructor(name, remark = () => null) {
    this.remark = remark;
    this.element = h("section", { class: "panel", "aria-labelledby": `${name}-title`, dataset: { list: name } },
      h("div", { class: "panel-head" }, h("h2", { id: `${name}-title` }, t(`discover.${name}`))), this.#rows,
      this.#none);
  }

  /** Shows these coins, or why there are none. */
  show(coins, why = t("discover.nothing")) {
    this.#rows.hidden = !coins.length;
    this.#none.hidden = coins.length > 0;
    setText(this.#none, why);
    reconcile(this.#rows, coins, (coin) => coin.id, makeRow, (row, coin) => this.#fill(row, coin));
  }

  #fill(row, coin) {
    const [price, change] = row.querySelectorAll(".coin-price, .coin-change");
    const text = coin.price ? format.price(coin.price) : "–";
    if (price.firstChild?.textContent !== text) replace(price, h("span", {}, text));
    showOrigin(price, coin);
    showChange(change, { change: coin.change_percent });
    const remark = this.remark(coin);
    if (remark) change.append(h("small", { class: "partial" }, remark));
  }
}

function makeRow(coin) {
  const name = [coinIcon(coin.symbol), h("span", { class: "symbol" }, coin.symbol),
    h("span", { class: "venue", dir: "auto" }, coin.name)];
  return h("li", {}, coin.market ? h("a", { class: "coin-name", href: placeOf(coin.market) }, name)
    : h("span", { class: "coin-name" }, name),
  h("span", { class: "coin-price num" }), h("span", { class: "coin-change num" }));
}
