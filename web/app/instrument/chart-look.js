/**
 * How a chart looks and what fingers do with it, in the words of the library.
 * @module
 */
import * as format from "../format.js";
import { faint } from "./colours.js";

// Days begin where those of UTC do: the library puts their marks there.
const mark = (time, type) => (type > 2 ? format.when(time * 1000, "clock")
  : format.inUTC(time * 1000, type > 1 ? "shortDay" : "day"));

/** Its options for a palette; `momentOf` says a time in milliseconds in words. */
export const chartLook = (palette, momentOf) => ({
  layout: { background: { color: palette.surface }, textColor: palette.muted, fontSize: 11,
    fontFamily: getComputedStyle(document.body).fontFamily },
  grid: { vertLines: { color: faint(palette.line, 0.5) }, horzLines: { color: faint(palette.line, 0.5) } },
  rightPriceScale: { borderColor: palette.line },
  timeScale: { borderColor: palette.line, timeVisible: true, rightOffset: 3, tickMarkFormatter: mark },
  crosshair: { mode: 0 },
  // A finger that goes up or down moves the page.
  handleScroll: { vertTouchDrag: false },
  localization: { timeFormatter: (time) => momentOf(time * 1000) },
});
