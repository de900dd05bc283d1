/**
 * A line of values over time, with an area below it and the value under the pointer.
 * @module
 */
import { h, s, setText } from "../dom.js";
import * as format from "../format.js";
import { approximate } from "../decimal.js";

const width = 600;
const height = 180;

/**
 * The chart.
 * @param {{time: string, value: string}[]} points oldest first, by days in UTC
 * @param {string} label what it shows, in words
 */
export function lineChart(points, label, currency) {
  const values = points.map(({ value }) => approximate(value));
  const low = Math.min(...values);
  const range = Math.max(...values) - low || 1;
  const x = (index) => (points.length < 2 ? width : (index / (points.length - 1)) * width);
  const y = (value) => height - 10 - ((value - low) / range) * (height - 20);
  const line = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join("L");
  const tip = h("p", { class: "num muted chart-tip" });
  const rest = () => points.length
    && setText(tip, `${format.inUTC(points[0].time, "day")} – ${format.inUTC(points.at(-1).time, "day")}`);
  rest();
  const svg = s("svg", { class: "line-chart", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none",
    role: "img", "aria-label": label,
    dataset: {}, "data-way": values.at(-1) >= values[0] ? "up" : "down" },
  s("path", { class: "area", d: `M${x(0)},${height}L${line}L${x(values.length - 1)},${height}Z` }),
    s("path", { class: "line", d: `M${line}` }));
  svg.addEventListener("pointermove", (event) => {
    const { left, width: wide } = svg.getBoundingClientRect();
    const point = points[Math.round(((event.clientX - left) / wide) * (points.length - 1))];
    if (point) setText(tip, `${format.inUTC(point.time, "day")}: ${format.money(point.value, currency)}`);
  });
  svg.addEventListener("pointerleave", rest);
  return h("div", { class: "line-chart-box" }, svg, tip);
}
