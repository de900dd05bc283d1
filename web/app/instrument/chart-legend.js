/**
 * What stands above a chart: a candle in the very digits of the API, and the values of the indicators there.
 * @module
 */
import { h } from "../dom.js";
import { t } from "../i18n.js";
import * as decimal from "../decimal.js";
import * as format from "../format.js";
import { candlesNeeded } from "./overlays.js";
import { withUnit } from "../units.js";

/**
 * @param {any} candle
 * @param {{ moment: string, places: number, unit: string | null, overlays: any[], lacking: string[] }} about when it
 * began in words, of how many places prices are, the unit of volumes, the lines drawn, and the indicators for which
 * there are too few candles
 */
export function chartLegend(candle, { moment, places, unit, overlays, lacking }) {
  const price = (text) => format.price(decimal.round(text, places) ?? text);
  const part = (label, value) => h("span", {}, h("span", { class: "muted" }, label, " "), value, " ");
  return [h("span", {}, moment, " "), part(t("chart.open"), price(candle.open)),
    part(t("chart.high"), price(candle.high)), part(t("chart.low"), price(candle.low)),
    part(t("chart.close"), price(candle.close)),
    part(t("chart.volume"), withUnit(format.compact(candle.volume), unit)),
    overlays.map((one, place) => figure(one, overlays[place - 1], candle.seconds, places)),
    lacking.map((name) => h("span", { class: "muted" },
      t("chart.tooFew", { name: t(`chart.indicator.${name}`), count: format.count(candlesNeeded[name]) }), " "))];
}

/** An indicator's name in its colour, with its value at a time; its further lines have the value alone. */
function figure({ name, data, color }, before, seconds, places) {
  const value = data.findLast((dot) => dot.time === seconds)?.value;
  return h("span", {}, before?.name !== name && [h("span", { class: "line-mark", style: { background: color } }),
    h("span", { class: "muted" }, t(`chart.indicator.${name}`), " ")],
  value === undefined ? "–" : format.number(value.toFixed(places)), " ");
}
