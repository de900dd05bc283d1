/**
 * Shares of a whole as a ring, with a legend that says them in words.
 * @module
 */
import { h, s } from "../dom.js";
import { t } from "../i18n.js";
import * as format from "../format.js";
import { approximate } from "../decimal.js";

const radius = 15.915;
const hues = 8;

/** A ring of `{name, share}`, shares of 1 as text. */
export function donut(parts) {
  let turned = 0;
  return s("svg", { class: "donut", viewBox: "0 0 42 42", role: "img",
    "aria-label": t("portfolio.allocation") },
    s("circle", { class: "donut-ground", cx: 21, cy: 21, r: radius }),
    parts.map(({ share }, index) => {
      const length = Math.max(0, approximate(share ?? "0") * 100);
      const part = s("circle", { class: `hue-${index % hues}`, cx: 21, cy: 21, r: radius,
        "stroke-dasharray": `${Math.max(0, length - 0.4)} ${100 - Math.max(0, length - 0.4)}`,
          "stroke-dashoffset": String(25 - turned) });
      turned += length;
      return part;
    }));
}

/** Names and shares beside their colours; `text` is a share in words. */
export function legend(parts) {
  return h("ul", { class: "legend" }, parts.map(({ name, share, text, value }, index) => h("li", {},
    h("span", { class: `swatch hue-${index % hues}` }), h("span", { class: "grow" }, name),
      value && h("span", { class: "num muted" }, value),
    h("b", { class: "num" }, text ?? format.share(share ?? "")))));
}
