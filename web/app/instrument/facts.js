/**
 * What is known of an instrument: the last 24 hours, what it is, where else it trades.
 * @module
 */
import { h, replace } from "../dom.js";
import { t, tOr } from "../i18n.js";
import * as format from "../format.js";
import { even, follow } from "../quotes.js";
import { contractSize, sizeUnit, withUnit } from "../units.js";

/** Statistics and facts. */
export class FactsPanel {
  #numbers = h("dl", { class: "facts" });
  #partial = h("p", { class: "muted partial-note", hidden: true }, t("quotes.partialAbout"));

  #ticker = h("p", { class: "muted partial-note", hidden: true }, t("quotes.dayByVenue"));

  /** @param {any} details the API's answer for the instrument; `{}` where it gave none @param {any} terms of it */
  constructor(instrument, details, terms, scope) {
    this.terms = terms;
    const info = details;
    const known = [
      [t("facts.pair"), info.base && `${info.base} / ${info.quote}`], [t("facts.kind"), info.kind && tOr(`facts.kind.${info.kind}`, info.kind)],
      [t("facts.name"), info.name], [t("facts.tick"), info.tick_size && withUnit(format.number(info.tick_size), terms?.quote)],
      [t("facts.lot"), info.lot_size && withUnit(format.number(info.lot_size), sizeUnit(terms))],
      [t("facts.contract"), contractSize(terms)], [t("facts.rank"), info.rank && format.count(info.rank)],
    ].filter(([, value]) => value !== undefined && value !== null && value !== "");
    const others = (details.listings
      ?? []).map((one) => one.instrument).filter((name) => name !== instrument);
    this.element = h("section", { class: "panel", "aria-labelledby": "facts-title" },
      h("div", { class: "panel-head" }, h("h2", { id: "facts-title" }, t("facts.title"))), this.#partial,
      this.#ticker, this.#numbers,
      known.length > 0 && h("dl", { class: "facts" }, known.map((pair) => fact(...pair))),
      others.length > 0 && h("div", {}, h("h3", {}, t("facts.elsewhere")),
        h("div", { class: "chips" }, others.map((name) =>
        h("a", { class: "button small", href: `/#/instrument/${name}` }, name)))));
    scope.onStop(follow(instrument, (quote) => this.#show(quote)));
  }

  #show(quote) {
    const price = (text) => (text ? format.price(even(quote, text)) : "–");
    this.#partial.hidden = !quote.incomplete;
    this.#ticker.hidden = quote.source !== "ticker";
    // Of less than 24 hours nothing may be called by that name.
    const of = (name) => (quote.incomplete ? t(`facts.known.${name}`) : t(`facts.${name}`));
    replace(this.#numbers, [
      [t("quotes.bid"), price(quote.bid)], [t("quotes.ask"), price(quote.ask)],
        [of("open"), price(quote.open)],
      [of("high"), price(quote.high)], [of("low"), price(quote.low)],
      [of("volume"), quote.volume ? withUnit(format.amount(quote.volume, 4), sizeUnit(this.terms)) : "–"],
      [of("quoteVolume"), quote.quoteVolume ? withUnit(format.compact(quote.quoteVolume), this.terms?.quote) : "–"],
      [of("trades"), quote.trades === null ? "–" : format.count(quote.trades)],
      ...this.#derivative(quote),
    ].map((pair) => fact(...pair)));
  }

  /** What the venue says of a derivative; nothing of what it has not said. */
  #derivative(quote) {
    const { funding, fundingTime, openInterest, openInterestUnit: unit } = quote;
    const units = { contracts: t("unit.contracts"), base: this.terms?.base, quote: this.terms?.quote };
    const when = fundingTime ? ` · ${format.when(fundingTime, "clock")}` : "";
    return [
      [t("facts.mark"), quote.mark && format.price(even(quote, quote.mark))],
      [t("facts.index"), quote.index && format.price(even(quote, quote.index))],
      [t("facts.funding"), funding && format.ratio(funding, 4) + when],
      [t("facts.openInterest"), openInterest && withUnit(format.compact(openInterest), units[unit])],
    ].filter(([, value]) => value);
  }
}

const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", { class: "num" }, value));
