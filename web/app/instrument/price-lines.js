/**
 * Lines across the chart at prices: that of the last candle, with its tag on the axis, and those of the user's alerts.
 * @module
 */
import { t } from "../i18n.js";
import * as decimal from "../decimal.js";
import { approximate } from "../decimal.js";
import { isLine } from "./points.js";

/** The library's own tag is of the last candle in sight, this one of the last there is. */
export const withoutOwnTag = { lastValueVisible: false, priceLineVisible: false };

/** The lines of one series; another series has none yet. */
export class PriceLines {
  #series;
  #last;
  #alerts = [];

  #begin(series) {
    if (this.#series === series) return;
    this.#series = series;
    this.#last = null;
    this.#alerts = [];
  }

  /** Marks the price of the last candle. */
  showLast(series, candle, kind, palette) {
    this.#begin(series);
    if (!candle) return;
    const way = decimal.compare(candle.close, candle.open) >= 0 ? "up" : "down";
    const about = { price: approximate(candle.close), color: palette[isLine(kind) ? "accent" : way], lineWidth: 1,
      lineStyle: 1, axisLabelVisible: true, title: "" };
    if (this.#last) this.#last.applyOptions(about);
    else this.#last = series.createPriceLine(about);
  }

  /** Draws a line at the level of each alert. */
  showAlerts(series, alerts, palette) {
    this.#begin(series);
    for (const line of this.#alerts.splice(0)) series.removePriceLine(line);
    for (const { level, note } of alerts) {
      this.#alerts.push(series.createPriceLine({ price: approximate(level), color: palette.warn, lineWidth: 1,
        lineStyle: 2, title: note || t("chart.alert") }));
    }
  }
}
