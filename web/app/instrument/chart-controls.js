/**
 * Range or interval, kind, scale and indicators of the chart, its picture, and the whole screen for it; what was chosen
 * is kept in this browser.
 * @module
 */
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import * as format from "../format.js";
import { attempt } from "../toast.js";
import { intervals, ranges } from "./candles.js";
import { scales } from "./chart.js";
import { indicatorNames } from "./overlays.js";
import { give } from "./picture.js";
import { kinds } from "./points.js";

const place = "bitpal.chart";

/**
 * The controls above a chart.
 * @param {import("./chart.js").PriceChart} chart @param {string} instrument
 * @param {(span: { range?: string, interval?: string }) => void} onSpan
 */
export function chartControls(chart, instrument, onSpan) {
  const chosen = { range: "1D", kind: "candles", scale: "linear", indicators: [], ...stored() };
  const keep = () => localStorage.setItem(place, JSON.stringify(chosen));
  const spanned = () => (chosen.interval ? { interval: chosen.interval } : { range: chosen.range });
  const choose = (name, value, run) => {
    chosen[name] = value;
    keep();
    run(value);
  };
  const rangeButtons = one(ranges, (range) => t(`chart.range.${range}`), (range) => {
    // A range has an interval of its own.
    delete chosen.interval;
    choose("range", range, () => onSpan(spanned()));
  });
  const kindButtons = one(kinds, (kind) => t(`chart.kind.${kind}`),
    (kind) => choose("kind", kind, () => chart.setKind(kind)));
  const interval = menu("chart.interval", intervals, format.duration, (value) => {
    rangeButtons.mark(null);
    choose("interval", value, () => onSpan(spanned()));
  });
  const scale = menu("chart.scale", scales, (name) => t(`chart.scale.${name}`),
    (value) => choose("scale", value, () => chart.setScale(value)));
  scale.value = chosen.scale;
  rangeButtons.mark(chosen.interval ? null : chosen.range);
  kindButtons.mark(chosen.kind);
  chart.setKind(chosen.kind);
  chart.setScale(chosen.scale);
  chart.setIndicators(chosen.indicators);
  return {
    get span() {
      return spanned();
    },
    /** Says how long the candles are that are shown. */
    showInterval: (value) => (interval.value = value),
    element: h("div", { class: "chart-controls" },
      group("chart.range", rangeButtons.buttons), interval,
      group("chart.kind", kindButtons.buttons), scale,
      group("chart.indicators", indicatorButtons(chosen, (names) => choose("indicators", names,
        () => chart.setIndicators(names)))),
      h("div", { class: "segmented" },
        action("chart.picture", "picture", () => keepPicture(chart, instrument, interval.value)),
        document.fullscreenEnabled && action("chart.fullScreen", "expand", toggleFullScreen))),
  };
}

const group = (label, buttons) => h("div", { class: "segmented", role: "group", "aria-label": t(label) }, buttons);

/** Buttons of which one is pressed. */
function one(values, text, run) {
  const buttons = values.map((value) => h("button", { "aria-pressed": "false", onclick: () => {
    mark(value);
    run(value);
  } }, text(value)));
  const mark = (value) => buttons.forEach((button, index) => button.setAttribute("aria-pressed",
    String(values[index] === value)));
  return { buttons, mark };
}

function menu(label, values, text, run) {
  return h("select", { class: "small", "aria-label": t(label), title: t(label),
    onchange: (event) => run(event.currentTarget.value) },
  values.map((value) => h("option", { value }, text(value))));
}

function indicatorButtons(chosen, run) {
  return indicatorNames.map((name) => h("button", { "aria-pressed": String(chosen.indicators.includes(name)),
    onclick: (event) => {
      const isOn = !chosen.indicators.includes(name);
      event.currentTarget.setAttribute("aria-pressed", String(isOn));
      run(isOn ? [...chosen.indicators, name] : chosen.indicators.filter((other) => other !== name));
    } }, t(`chart.indicator.${name}`)));
}

const action = (label, drawn, run) =>
  h("button", { "aria-label": t(label), title: t(label), onclick: run }, icon(drawn));

/** What is seen of the chart, with its name. */
function keepPicture(chart, instrument, interval) {
  const day = new Date().toISOString().slice(0, 10);
  const name = `${instrument.replace(/[^A-Za-z0-9-]+/g, "-")}-${interval}-${day}.png`;
  const picture = chart.picture(`${instrument} · ${format.duration(interval)}`);
  if (picture) attempt(() => give(picture, name));
}

function toggleFullScreen(event) {
  if (document.fullscreenElement) document.exitFullscreen();
  else attempt(() => event.currentTarget.closest(".chart-panel").requestFullscreen());
}

/** What was chosen before, as far as it can be chosen still. */
function stored() {
  try {
    const { range, interval, kind, scale, indicators } = JSON.parse(localStorage.getItem(place)) ?? {};
    const known = (name, value, values) => (values.includes(value) ? { [name]: value } : {});
    return { ...known("range", range, ranges), ...known("interval", interval, intervals),
      ...known("kind", kind, kinds), ...known("scale", scale, scales),
      indicators: indicatorNames.filter((name) => indicators?.includes(name)) };
  } catch {
    return {};
  }
}
