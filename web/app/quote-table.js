/**
 * A list of live quotes that can be sorted and, where it is somebody's own, put in order and thinned out: by
 * mouse, by finger and by key.
 * @module
 */
import { h, reconcile, replace } from "./dom.js";
import { t } from "./i18n.js";
import { stream } from "./stream.js";
import { QuoteRow } from "./quote-row.js";
import { shownPrice } from "./quotes.js";
import * as decimal from "./decimal.js";
import { letDrag, letSwipe } from "./row-gestures.js";
import { go } from "./navigation.js";

const columns = [
  { name: "name", label: "quotes.name", of: (row) => row.instrument },
  { name: "spark", label: "quotes.trend" },
  { name: "price", label: "quotes.price", of: (row) => shownPrice(row.quote), isNumber: true },
  { name: "change", label: "quotes.change", of: (row) => row.quote?.change, isNumber: true },
  { name: "bid", label: "quotes.bid", of: (row) => row.quote?.bid, isNumber: true },
  { name: "ask", label: "quotes.ask", of: (row) => row.quote?.ask, isNumber: true },
  { name: "range", label: "quotes.range" },
  { name: "turnover", label: "quotes.turnover", of: (row) => row.quote?.quoteVolume, isNumber: true },
  { name: "seen", label: "quotes.updated" },
];

/** Rows that are followed at most: a connection has 200 subscriptions, and the page needs some for other things. */
const mostFollowed = 150;

/** The table. */
export class QuoteTable {
  #rows = new Map();
  #order = [];
  #isMoved = false;
  #sight = new IntersectionObserver((changes) => this.#see(changes), { rootMargin: "200px" });
  #sort = null;
  #body = h("tbody");
  #heads = new Map();

  /**
   * @param {any} scope of the view
   * @param {{label: string, onRemove?: (instrument: string) => void, onReorder?: (order: string[]) => void}} options
   *   without `onReorder` the list is only for reading
   */
  constructor(scope, options) {
    this.scope = scope;
    this.options = options;
    this.isEditable = Boolean(options.onReorder);
    this.element = h("table", { class: `quotes ${this.isEditable ? "editable" : ""}` },
      h("caption", { class: "visually-hidden" }, options.label), h("thead", {}, this.#head()), this.#body);
    this.#body.addEventListener("keydown", (event) => this.#key(event));
    this.#body.addEventListener("click", (event) => {
      const row = event.target.closest("tr");
      if (row && !event.target.closest("a, button")) go(`/instrument/${row.dataset.instrument}`);
    });
    if (this.isEditable) {
      letDrag(this.#body, () => this.#dragged());
      letSwipe(this.#body, (row) => options.onRemove(row.dataset.instrument));
      // A key that is held moves its row many times.
      for (const type of ["keyup", "blur"]) scope.listen(window, type, () => this.#settle());
    }
    scope.every(1000, () => this.#tell());
    scope.every(60_000, () => this.#look());
    scope.listen(stream, "state", () => this.#tell());
    scope.onStop(() => {
      this.#settle();
      this.#sight.disconnect();
      for (const row of this.#rows.values()) row.stop();
    });
  }

  /** Shows these instruments, in this order. */
  show(order) {
    this.#order = order;
    this.#arrange();
  }

  #head() {
    const cells = columns.map((column) => {
      const button = column.of && h("button", { class: "sort", onclick: () => this.#sortBy(column) },
        t(column.label));
      const cell = h("th", { scope: "col", class: column.name }, button ?? t(column.label));
      this.#heads.set(column, cell);
      return cell;
    });
    const empty = (name) => this.isEditable && h("td", { class: name });
    return h("tr", {}, empty("grip-cell"), cells, empty("remove-cell"));
  }

  /** Up, down, and back to the list's own order. */
  #sortBy(column) {
    const isSame = this.#sort?.column === column;
    if (!isSame) this.#sort = { column, way: column.isNumber ? -1 : 1, count: 1 };
    else if (this.#sort.count === 1) this.#sort = { column, way: -this.#sort.way, count: 2 };
    else this.#sort = null;
    for (const [other, cell] of this.#heads) {
      const way = this.#sort?.column === other ? this.#sort.way : 0;
      cell.setAttribute("aria-sort", ["descending", "none", "ascending"][way + 1]);
    }
    this.#arrange();
  }

  #arrange() {
    reconcile(this.#body, this.#sorted(), (instrument) => instrument, (instrument) => {
      const onRemove = () => this.options.onRemove(instrument);
      const row = new QuoteRow(instrument, { isEditable: this.isEditable, onRemove, scope: this.scope });
      this.#rows.set(instrument, row);
      this.#sight.observe(row.element);
      return row.element;
    });
    for (const [instrument, row] of this.#rows) {
      if (this.#order.includes(instrument)) continue;
      row.stop();
      this.#sight.unobserve(row.element);
      this.#rows.delete(instrument);
    }
    this.#follow();
  }

  #see(changes) {
    for (const { target, isIntersecting } of changes) {
      const row = this.#rows.get(target.dataset.instrument);
      if (row) row.isSeen = isIntersecting;
    }
    this.#follow();
    this.#look();
  }

  /** Follows the rows on the screen, and as many others as there is room for. */
  #follow() {
    const rows = this.#order.map((instrument) => this.#rows.get(instrument));
    const nearest = [...new Set([...rows.filter((row) => row.isSeen), ...rows])];
    for (const row of nearest.slice(mostFollowed)) row.stop();
    for (const row of nearest.slice(0, mostFollowed)) row.follow();
  }

  #look() {
    if (document.hidden) return;
    for (const row of this.#rows.values()) if (row.isSeen) row.look();
  }

  #sorted() {
    if (!this.#sort) return this.#order;
    const { column, way } = this.#sort;
    const value = (instrument) => {
      const row = this.#rows.get(instrument);
      return row ? column.of(row) : null;
    };
    return [...this.#order].sort((a, b) => {
      const [left, right] = [value(a), value(b)];
      // What is not known stays at the end, whichever way.
      if (!left || !right) return (left ? 0 : 1) - (right ? 0 : 1);
      return way * (column.isNumber ? decimal.compare(left, right) : left.localeCompare(right));
    });
  }

  #tell() {
    const now = Date.now();
    for (const row of this.#rows.values()) row.tell(now);
  }

  #dragged() {
    this.#isMoved = true;
    this.#settle();
  }

  /** Says in which order the rows are, once nobody moves them any more. */
  #settle() {
    if (!this.#isMoved) return;
    this.#isMoved = false;
    this.#order = [...this.#body.children].map((row) => row.dataset.instrument);
    this.#sort = null;
    for (const cell of this.#heads.values()) cell.removeAttribute("aria-sort");
    this.options.onReorder(this.#order);
  }

  #key(event) {
    const row = event.target.closest("tr");
    if (!row) return;
    const next = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[event.key];
    if (event.key === "Delete" && this.isEditable) {
      const neighbour = row.nextElementSibling ?? row.previousElementSibling;
      this.options.onRemove(row.dataset.instrument);
      neighbour?.querySelector("a").focus();
    } else if (next && (event.altKey || event.target.closest(".grip")) && this.isEditable) {
      if (event.key === "ArrowDown") next.after(row);
      else next.before(row);
      (event.target.closest("button, a") ?? row.querySelector("a")).focus();
      this.#isMoved = true;
    } else if (next) {
      next.querySelector("a").focus();
    } else {
      return;
    }
    event.preventDefault();
  }
}

/** Text in place of a table that has no rows. */
export function emptyState(title, text, ...actions) {
  return replace(h("section", { class: "empty" }), h("h2", {}, title), h("p", {}, text),
    h("div", { class: "row centre" }, actions));
}
