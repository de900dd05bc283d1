/**
 * One instrument in a list of quotes: its name, line, price and change, live while it is on the page.
 * @module
 */
import { h, replace, setText } from "./dom.js";
import { t, tOr } from "./i18n.js";
import { icon } from "./icons.js";
import { coinIcon } from "./coin-icon.js";
import * as format from "./format.js";
import * as decimal from "./decimal.js";
import { even, follow, isFollowed, quoteOf, shownPrice } from "./quotes.js";
import { closes, draw, sparkline } from "./sparkline.js";
import { isLive } from "./connection.js";
import { knownTerms, sizeUnit, termsOf, withUnit } from "./units.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Colours an element for a moment, by which way its number went. */
export function flash(element, way, milliseconds = 700) {
  if (!way || calm.matches) return;
  const colour = `var(--${way > 0 ? "up" : "down"}-soft)`;
  element.animate([{ backgroundColor: colour }, { backgroundColor: "transparent" }], milliseconds);
}

/** An instrument's name in two parts: symbol and venue. */
export function split(instrument) {
  const colon = instrument.indexOf(":");
  return { venue: instrument.slice(0, colon), symbol: instrument.slice(colon + 1) };
}

/** Shows a figure of 24 hours; with a mark where less than those hours is known. */
export function showFigure(element, text, isIncomplete) {
  const isMarked = Boolean(isIncomplete) && text !== "–";
  const mark = element.querySelector(".partial");
  if (isMarked === Boolean(mark) && element.firstChild?.textContent === text) return;
  replace(element, text, isMarked && h("small", { class: "partial", title: t("quotes.partialAbout") },
    t("quotes.partial")));
}

/** Marks a price that nothing of ours proves: the venue's own word, or that of somebody else. */
export function showOrigin(element, { origin }) {
  const word = origin && origin !== "proven" ? origin : null;
  const mark = element.querySelector(".origin");
  if ((mark?.dataset.origin ?? null) === word) return;
  mark?.remove();
  if (word) {
    element.append(h("small", { class: "partial origin", dataset: { origin: word },
      title: tOr(`quotes.origin.about.${word}`, word) }, tOr(`quotes.origin.${word}`, word)));
  }
}

/** Shows a change in percent, with the colour of what is shown: what is rounded to nothing has none. */
export function showChange(element, { change, incomplete }) {
  showFigure(element, change === null || change === undefined ? "–" : format.percent(change), incomplete);
  element.dataset.way = ["down", "", "up"][decimal.sign(decimal.round(change ?? "", 2) ?? "") + 1];
}

/** A row of the list. */
export class QuoteRow {
  quote;
  /** Whether it is on the screen. */
  isSeen = false;
  #cells = {};
  #icon = coinIcon();
  #coin = null;
  #sparkline = sparkline([]);
  #values = [];
  #closes = null;
  #isLooking = false;
  #end = null;

  /**
   * @param {string} instrument
   * @param {{isEditable: boolean, onRemove?: () => void, scope: any}} options
   */
  constructor(instrument, { isEditable, onRemove, scope }) {
    this.instrument = instrument;
    this.scope = scope;
    const { symbol, venue } = split(instrument);
    const cell = (name, props) => (this.#cells[name] = h("td", { class: name, ...props }));
    const price = h("span", { class: "price-text" });
    this.#cells.text = price;
    this.element = h("tr", { class: "quote", dataset: { instrument, key: instrument } },
      isEditable && h("td", { class: "grip-cell" },
        h("button", { class: "grip quiet icon-only", "aria-label": t("watchlist.grip", { name: symbol }),
          title: t("watchlist.gripHint") }, icon("grip"))),
      h("th", { scope: "row", class: "name" },
        h("a", { href: `/#/instrument/${instrument}` }, this.#icon, h("span", { class: "symbol" }, symbol),
          h("span", { class: "venue" }, venue))),
      cell("spark"),
      cell("price"), cell("change"), cell("bid"), cell("ask"), cell("range"), cell("turnover"), cell("seen"),
      isEditable && h("td", { class: "remove-cell" },
        h("button", { class: "quiet icon-only", "aria-label": t("watchlist.remove", { name: symbol }),
          onclick: onRemove }, icon("cross"))));
    this.#cells.spark.append(this.#sparkline);
    this.#cells.price.append(price);
    this.#show(quoteOf(instrument) ?? { instrument }, undefined);
  }

  /** Follows its quote. */
  follow() {
    this.#end ??= follow(this.instrument, (quote, before) => this.#show(quote, before));
  }

  /** Follows nothing any more. */
  stop() {
    this.#end?.();
    this.#end = null;
  }

  /** Asks for what only who sees it needs: in what it is counted, and its line, where that is not of now. */
  async look() {
    if (this.#isLooking) return;
    this.#isLooking = true;
    await termsOf(this.instrument);
    this.#show(this.quote, this.quote);
    const line = await closes(this.instrument, this.scope.signal, () => this.isSeen && !this.scope.isStopped);
    if (line && line !== this.#closes) this.#trace(line.values);
    if (line && line !== this.#closes) this.#sayOf(line.span);
    this.#closes = line ?? this.#closes;
    this.#isLooking = false;
  }

  /** Says how old the quote is, where that matters. */
  tell(now) {
    const { quote } = this;
    const isOld = Boolean(quote?.seen) && !(isLive() && isFollowed(this.instrument));
    this.element.classList.toggle("old", isOld);
    const time = isOld ? quote.seen : quote?.time;
    setText(this.#cells.seen, time ? format.age(time, now) : "–");
  }

  #show(quote, before) {
    this.quote = quote;
    this.#name();
    const cells = this.#cells;
    const price = shownPrice(quote);
    const isChanged = setText(cells.text, price ? format.price(price) : "–");
    showOrigin(cells.price, quote);
    const former = shownPrice(before);
    if (isChanged && former && price) flash(cells.text, decimal.compare(price, former));
    showChange(cells.change, quote);
    const shown = (text) => (text ? format.price(even(quote, text)) : "–");
    setText(cells.bid, shown(quote.bid));
    setText(cells.ask, shown(quote.ask));
    showFigure(cells.range, quote.low && quote.high ? `${shown(quote.low)} – ${shown(quote.high)}` : "–",
      quote.incomplete);
    showFigure(cells.turnover, this.#turnover(quote), quote.incomplete);
    this.tell(Date.now());
    if (isChanged && this.#values.length > 1) this.#trace([...this.#values.slice(0, -1),
      decimal.approximate(price)]);
  }

  /** The picture of what is traded, as soon as it is known what that is. */
  #name() {
    const coin = knownTerms(this.instrument)?.base;
    if (!coin || coin === this.#coin) return;
    const picture = coinIcon((this.#coin = coin));
    this.#icon.replaceWith(picture);
    this.#icon = picture;
  }

  /** Of one unit where it can be had: volumes of contracts and of coins are not to be compared. */
  #turnover({ quoteVolume, volume }) {
    const terms = knownTerms(this.instrument);
    if (quoteVolume) return withUnit(format.compact(quoteVolume), terms?.quote);
    return volume ? withUnit(format.compact(volume), sizeUnit(terms)) : "–";
  }

  /** The head says 24 hours: a line of less says so itself. */
  #sayOf(span) {
    const isDay = !span || span === "24h";
    replace(this.#cells.spark, this.#sparkline, !isDay && h("small", { class: "partial" }, format.duration(span)));
  }

  #trace(values) {
    this.#values = values.filter(Number.isFinite);
    draw(this.#sparkline, this.#values);
  }
}

