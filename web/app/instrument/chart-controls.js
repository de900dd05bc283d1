/**
 * Range, kind and indicators of the chart; what was chosen is kept in this browser.
 * @module
 */
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { ranges } from "./candles.js";
import { indicatorNames } from "./overlays.js";

const place = "bitpal.chart";

/**
 * The controls above a chart.
 * @param {import("./chart.js").PriceChart} chart
 * @param {(range: string) => void} onRange
 */
export function chartControls(chart, onRange) {
  const chosen = { range: "1D", kind: "candles", indicators: [], ...stored() };
  const keep = () => localStorage.setItem(place, JSON.stringify(chosen));
  const group = (label, buttons) => h("div", { class: "segmented", role: "group", "aria-label": label },
    buttons);
  const one = (name, values, text, run) => {
    const buttons = values.map((value) => h("button", { "aria-pressed": String(chosen[name] === value),
      onclick: () => {
      chosen[name] = value;
      buttons.forEach((button, index) => button.setAttribute("aria-pressed",
        String(values[index] === value)));
      keep();
      run(value);
    } }, text(value)));
    return buttons;
  };
  const indicators = indicatorNames.map((name) => h("button", {
    "aria-pressed": String(chosen.indicators.includes(name)), onclick: (event) => {
      const isOn = !chosen.indicators.includes(name);
      chosen.indicators = isOn ? [...chosen.indicators, name]
        : chosen.indicators.filter((one) => one !== name);
      event.currentTarget.setAttribute("aria-pressed", String(isOn));
      keep();
      chart.setIndicators(chosen.indicators);
    } }, t(`chart.indicator.${name}`)));
  chart.setKind(chosen.kind);
  chart.setIndicators(chosen.indicators);
  return {
    get range() {
      return chosen.range;
    },
    element: h("div", { class: "chart-controls" },
      group(t("chart.range"), one("range", ranges, (range) => t(`chart.range.${range}`), onRange)),
      group(t("chart.kind"), one("kind", ["candles", "line"], (kind) => t(`chart.kind.${kind}`),
        (kind) => chart.setKind(kind))),
      group(t("chart.indicators"), indicators)),
  };
}

function stored() {
  try {
    return JSON.parse(localStorage.getItem(place)) ?? {};
  } catch {
    return {};
  }
}
