/**
 * The market as a map: a coin's area is what it is worth, its colour how its price changed.
 * @module
 */
import { h, reconcile, replace, setText } from "../dom.js";
import { t } from "../i18n.js";
import * as format from "../format.js";
import { approximate, round } from "../decimal.js";
import { fitting } from "./treemap.js";
import { placeOf } from "./coin-list.js";

/** Pixels of the least side of a coin: what is smaller cannot be touched. */
const least = 27;
/** From so many percent on a change has the next colour. */
const steps = [0.5, 2, 5];
const sizes = ["value", "equal"];

/** The map, with what its colours mean. */
export class HeatMap {
  #cells = h("ul", { class: "heat-map", "aria-label": t("discover.map") });
  #note = h("p", { class: "muted heat-note" });
  #coins = [];
  #size = "value";
  #buttons = new Map(sizes.map((size) => [size, h("button", { "aria-pressed": String(size === this.#size),
    onclick: () => this.#choose(size) }, t(`discover.size.${size}`))]));
  element;

  /** @param {any} scope of the view */
  constructor(scope) {
    this.element = h("section", { class: "panel heat-panel", "aria-labelledby": "heat-title" },
      h("div", { class: "panel-head" }, h("h2", { id: "heat-title", class: "grow" }, t("discover.map")),
        h("div", { class: "segmented", role: "group", "aria-label": t("discover.size") },
          ...this.#buttons.values())),
      this.#cells, legend(), this.#note);
    const room = new ResizeObserver(() => this.#draw());
    room.observe(this.#cells);
    scope.onStop(() => room.disconnect());
  }

  /** Shows these coins, the greatest first. */
  show(coins) {
    this.#coins = coins;
    this.#draw();
  }

  #choose(size) {
    this.#size = size;
    for (const [name, button] of this.#buttons) button.setAttribute("aria-pressed", String(name === size));
    this.#draw();
  }

  #draw() {
    const { clientWidth: width, clientHeight: height } = this.#cells;
    this.#cells.hidden = !this.#coins.length;
    if (!this.#coins.length) return setText(this.#note, t("discover.noValues"));
    // It is drawn once it is in the page and has room.
    if (!width || !height) return undefined;
    const weights = this.#coins.map((coin) => (this.#size === "equal" ? 1 : approximate(coin.market_cap)));
    const places = fitting(weights, width, height, least);
    const drawn = this.#coins.slice(0, places.length).map((coin, index) => ({ coin, place: places[index] }));
    reconcile(this.#cells, drawn, ({ coin }) => coin.id, () => h("li"),
      (item, { coin, place }) => fill(item, coin, place, width, height));
    const left = this.#coins.length - places.length;
    const about = t(this.#size === "equal" ? "discover.mapAboutEqual" : "discover.mapAbout");
    return setText(this.#note, left ? `${about} ${t("discover.mapLeft", { n: left })}` : about);
  }
}

/** What a change is coloured as: from `down-3` to `up-3`. */
function colourOf(change) {
  const percent = change === undefined ? 0 : approximate(round(change, 2));
  const count = steps.filter((step) => Math.abs(percent) >= step).length;
  return count ? `${percent < 0 ? "down" : "up"}-${count}` : "even";
}

function fill(item, coin, place, width, height) {
  const share = (part, whole) => `${(100 * part / whole).toFixed(4)}%`;
  const box = { "inset-inline-start": share(place.x, width), "inset-block-start": share(place.y, height),
    "inline-size": share(place.width, width), "block-size": share(place.height, height) };
  for (const [name, value] of Object.entries(box)) item.style.setProperty(name, value);
  const change = coin.change_percent === undefined ? "–" : format.percent(coin.change_percent);
  const label = t("discover.cell", { name: coin.name, symbol: coin.symbol, change,
    value: `${format.compact(coin.market_cap)} USD` });
  const cell = item.firstElementChild ?? item.appendChild(cellOf(coin));
  cell.setAttribute("aria-label", label);
  cell.title = label;
  cell.dataset.way = colourOf(coin.change_percent);
  const letters = fontSize(place, coin.symbol, change);
  cell.style.setProperty("font-size", `${letters}px`);
  const words = wordsIn(place, letters, coin.symbol, change);
  if (cell.dataset.words !== words.join()) {
    cell.dataset.words = words.join();
    replace(cell, words.map((word, index) => h("span", { class: index ? "num" : "heat-symbol" }, word)));
  }
}

/** A link to the coin's market; where it has none, only what it is. */
function cellOf(coin) {
  return coin.market ? h("a", { class: "heat", href: placeOf(coin.market) })
    : h("span", { class: "heat", role: "img", "aria-label": coin.name });
}

/** Letters as large as both words have room for, within reason. */
function fontSize({ width, height }, ...words) {
  const letters = Math.max(...words.map((word) => word.length));
  return Math.floor(Math.min(26, Math.max(11, Math.min((width - 8) / (letters * 0.68), height / 3.4))));
}

/** What there is room for: the code alone, or the change below it. */
function wordsIn({ width, height }, letters, symbol, change) {
  const fits = (word) => word.length * letters * 0.68 + 8 <= width;
  if (!fits(symbol) || height < letters * 1.3 + 4) return [];
  return fits(change) && height >= letters * 2.6 + 4 ? [symbol, change] : [symbol];
}

/** Which change has which colour: said in figures, for not everybody tells the colours apart. */
function legend() {
  const of = (step) => format.percent(String(step), step % 1 ? 1 : 0);
  const marks = [
    ["down-3", `≤ ${of(-steps[2])}`], ["down-2", `≤ ${of(-steps[1])}`], ["down-1", `≤ ${of(-steps[0])}`],
    ["even", "0"], ["up-1", `≥ ${of(steps[0])}`], ["up-2", `≥ ${of(steps[1])}`], ["up-3", `≥ ${of(steps[2])}`],
  ];
  return h("ul", { class: "heat-legend", "aria-label": t("discover.legend") }, marks.map(([way, text]) =>
    h("li", {}, h("span", { class: "heat swatch", dataset: { way } }), h("span", { class: "num" }, text))));
}
