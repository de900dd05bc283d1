/**
 * The order book: bids beside asks, what is accumulated behind each price as a bar, filter and grouping.
 * @module
 */
import { foreign, h, replace, setText, paced } from "../dom.js";
import { t, tOr } from "../i18n.js";
import * as format from "../format.js";
import * as decimal from "../decimal.js";
import { get, instrumentPath } from "../api.js";
import { stream } from "../stream.js";
import { isLive } from "../connection.js";
import { sizeUnit, unitMark } from "../units.js";
import { BookState, accumulated, grouped, middle, near, steps } from "./book-state.js";

const levels = 20;

/** The book of an instrument, live while its view is there. */
export class BookPanel {
  book = new BookState();
  #deep = null;
  #within = "";
  #group = "";
  #rows = { bids: [], asks: [] };
  #spread = h("p", { class: "book-spread num" });
  #state = h("span", { class: "tag" });
  #why = h("p", { class: "muted", hidden: true });
  #groupMenu = h("select", { class: "small", hidden: true, "aria-label": t("book.group"),
    onchange: (event) => this.#choose("group", event.target.value) });

  /** @param {any} terms of the instrument @param {(price: string) => void} onPrice when a price is clicked */
  constructor(instrument, terms, scope, onPrice) {
    this.instrument = instrument;
    this.scope = scope;
    const within = h("select", { class: "small", "aria-label": t("book.within"),
      onchange: (event) => this.#choose("within", event.target.value) },
    [["", t("book.all")], ...["0.1", "0.5", "1", "2", "5"].map((value) => [value,
      `± ${format.portion(value)}`])]
      .map(([value, text]) => h("option", { value }, text)));
    const units = { price: terms?.quote, size: sizeUnit(terms), total: sizeUnit(terms) };
    const side = (name) => h("table", { class: `book-side ${name}` },
      h("caption", { class: "visually-hidden" }, t(`book.${name}`)),
      h("thead", {}, h("tr", {}, ["price", "size", "total"].map((part) => h("th",
        { scope: "col", class: part }, t(`book.${part}`), unitMark(units[part]))))),
      h("tbody", { onclick: (event) => {
        const { price } = event.target.closest("tr")?.dataset ?? {};
        if (price) onPrice(price);
      } }, Array.from({ length: levels }, () => this.#row(name))));
    this.element = h("section", { class: "panel book", "aria-labelledby": "book-title" },
      h("div", { class: "panel-head" }, h("h2", { id: "book-title" }, t("book.title")), this.#state,
        h("div", { class: "row end" }, within, this.#groupMenu)),
      this.#spread, this.#why, h("div", { class: "book-sides" }, side("bids"), side("asks")));
    const draw = paced(80, () => this.#draw());
    scope.subscribe("book", instrument, ({ type, data }) => {
      if (!data) return;
      if (type === "snapshot") this.book.snapshot(data);
      else this.book.change(data);
      draw();
    });
    scope.listen(stream, "state", draw);
    scope.every(1500, () => this.#askDeep());
  }

  #row(side) {
    const cells = ["price", "size", "total"].map((name) => h("td", { class: name }));
    const row = h("tr", {}, cells);
    this.#rows[side].push({ row, cells });
    return row;
  }

  #choose(what, value) {
    if (what === "group") this.#group = value;
    else this.#within = value;
    this.#deep = null;
    this.#askDeep();
    this.#draw();
  }

  /** The stream has the best 25 levels only; what a filter or a group needs is asked for. */
  async #askDeep() {
    if (!this.#within && !this.#group) return;
    if (document.hidden) return (this.#deep = null);
    const within = this.#within ? `&within=${this.#within}%25` : "";
    const path = `/books/${instrumentPath(this.instrument)}?depth=500${within}`;
    try {
      this.#deep = await get(path, { signal: this.scope.signal });
    } catch {
      // The best levels are shown meanwhile: an old book is not to stand beside "live".
      this.#deep = null;
    }
    this.#draw();
  }

  #draw() {
    const mid = middle(this.book);
    this.#tell(mid);
    this.#offerSteps();
    const source = (this.#within || this.#group) && this.#deep ? this.#deep : this.book;
    const sides = ["bids", "asks"].map((side) => accumulated(
      grouped(near(source[side], mid, this.#within), this.#group, side === "asks"), levels));
    const most = sides.flat().reduce((top, { total }) => Math.max(top, decimal.approximate(total)), 0) || 1;
    this.#fill("bids", sides[0], most);
    this.#fill("asks", sides[1], most);
  }

  #fill(side, list, most) {
    const [sizes, totals] = ["size", "total"].map((name) => format.column(list.map((level) => level[name])));
    this.#rows[side].forEach(({ row, cells }, index) => {
      const level = list[index];
      row.dataset.price = level?.price ?? "";
      setText(cells[0], level ? format.price(level.price) : "");
      setText(cells[1], sizes[index] ?? "");
      setText(cells[2], totals[index] ?? "");
      const share = level ? decimal.approximate(level.total) / most : 0;
      row.style.setProperty("--share", `${(share * 100).toFixed(1)}%`);
    });
  }

  #tell(mid) {
    const { bids, asks, reason } = this.book;
    // What a gateway said that is gone holds no more.
    const isLost = !isLive() && this.book.state !== "unknown";
    const state = isLost ? "lost" : this.book.state;
    this.#state.dataset.state = state;
    setText(this.#state, tOr(`book.state.${state}`, state));
    // Why it is in doubt; what we have no words for, in those of who says so.
    const reasonText = isLost || state === "live" ? "" : reason;
    const why = tOr(`book.reason.${reasonText}`, reasonText);
    this.#why.hidden = !why;
    if (this.#why.textContent !== why) replace(this.#why, why === reasonText ? why && foreign(why) : why);
    if (!mid) return setText(this.#spread, t(this.book.state === "unknown" ? "book.unknown" : "book.none"));
    const spread = decimal.subtract(asks[0][0], bids[0][0]);
    const points = decimal.divide(decimal.multiply(spread, "10000"), mid, 2);
    replace(this.#spread, h("span", {}, t("book.mid"), " ", h("b", {}, format.price(mid))),
      h("span", {}, t("book.spread"), " ", h("b", {}, format.price(spread)),
        ` (${t("book.points", { points: format.number(points) })})`));
  }

  #offerSteps() {
    if (this.#groupMenu.options.length || !this.book.bids.length) return;
    this.#groupMenu.hidden = false;
    const price = this.book.bids[0][0];
    replace(this.#groupMenu, [["", t("book.noGroup")], ...steps(decimal.places(price),
      price).map((step) => [step, format.number(step)])]
      .map(([value, text]) => h("option", { value }, text)));
  }
}
