/**
 * What lies on each side of the middle price, accumulated: a picture of the book's depth.
 * @module
 */
import { h, s, replace, setText } from "../dom.js";
import { t } from "../i18n.js";
import * as format from "../format.js";
import * as decimal from "../decimal.js";
import { approximate } from "../decimal.js";
import { get, instrumentPath } from "../api.js";
import { accumulated, middle } from "./book-state.js";
import { sizeUnit, withUnit } from "../units.js";

const width = 600;
const height = 200;

/** The depth of an instrument's book, drawn again every three seconds. */
export class DepthPanel {
  #svg = s("svg", { class: "depth-chart", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none",
    role: "img",
    "aria-label": t("depth.title") });
  #low = h("span");
  #mid = h("b");
  #high = h("span");
  #tip = h("p", { class: "muted num depth-tip" });
  #sides = null;

  constructor(instrument, terms, scope) {
    this.unit = sizeUnit(terms);
    this.instrument = instrument;
    this.scope = scope;
    this.element = h("section", { class: "panel", "aria-labelledby": "depth-title" },
      h("div", { class: "panel-head" }, h("h2", { id: "depth-title" }, t("depth.title")),
        this.unit && h("span", { class: "muted unit" }, this.unit), this.#tip),
      this.#svg, h("div", { class: "depth-axis num muted" }, this.#low, this.#mid, this.#high));
    this.#svg.addEventListener("pointermove", (event) => this.#point(event));
    this.#svg.addEventListener("pointerleave", () => setText(this.#tip, ""));
    scope.every(3000, () => this.#ask());
    this.#ask();
  }

  async #ask() {
    if (document.hidden) return;
    try {
      const path = `/books/${instrumentPath(this.instrument)}?depth=200`;
      this.#draw(await get(path, { signal: this.scope.signal }));
    } catch {
      // The last picture stays.
    }
  }

  #draw(book) {
    const mid = middle(book);
    if (!mid) return;
    const centre = approximate(mid);
    const away = (level) => Math.abs(approximate(level.price) - centre);
    const whole = [accumulated(book.bids, 200), accumulated(book.asks, 200)];
    // As far as both sides reach, so that they can be compared.
    const reach = Math.min(...whole.map((levels) => away(levels.at(-1)))) || 1;
    const [bids, asks] = whole.map((levels) => levels.filter((level) => away(level) <= reach));
    if (!bids.length || !asks.length) return;
    const most = Math.max(approximate(bids.at(-1).total), approximate(asks.at(-1).total)) || 1;
    const x = (price) => width / 2 + ((approximate(price) - centre) / reach) * (width / 2);
    const y = (total) => height - (approximate(total) / most) * (height - 8);
    const path = (levels) => {
      let text = `M${x(levels[0].price).toFixed(1)},${height}`;
      for (const level of levels) text += `H${x(level.price).toFixed(1)}V${y(level.total).toFixed(1)}`;
      return `${text}H${levels === bids ? 0 : width}V${height}Z`;
    };
    this.#sides = { bids, asks, x };
    replace(this.#svg, s("path", { class: "depth-bids", d: path(bids) }),
      s("path", { class: "depth-asks", d: path(asks) }));
    this.#svg.setAttribute("aria-label", t("depth.label", {
      bids: this.#size(bids.at(-1).total), asks: this.#size(asks.at(-1).total) }));
    const prices = [bids.at(-1).price, mid, asks.at(-1).price];
    const places = Math.max(...prices.map(decimal.places));
    [this.#low, this.#mid, this.#high].forEach((mark, index) =>
      setText(mark, format.price(decimal.round(prices[index], places))));
  }

  #size(text) {
    return withUnit(format.amount(text), this.unit);
  }

  #point(event) {
    if (!this.#sides) return;
    const { left, width: wide } = this.#svg.getBoundingClientRect();
    const place = ((event.clientX - left) / wide) * width;
    const { bids, asks, x } = this.#sides;
    const levels = place < width / 2 ? bids : asks;
    const level = levels.findLast((one) => (place < width / 2 ? x(one.price) >= place
      : x(one.price) <= place));
    setText(this.#tip, level
      ? t("depth.point", { price: format.price(level.price), total: this.#size(level.total) }) : "");
  }
}
