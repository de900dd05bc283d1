/**
 * The page's colours for a canvas, which knows no custom properties.
 * @module
 */
import { h } from "../dom.js";

/** Colours by name as they are now, in light or dark. */
export function colours(...names) {
  const probe = h("i", { hidden: true });
  document.body.append(probe);
  const found = {};
  for (const name of names) {
    probe.style.color = `var(--${name})`;
    found[name] = toLegacy(getComputedStyle(probe).color);
  }
  probe.remove();
  return found;
}

/** The same colour, less of it. */
export const faint = (colour, share) =>
  colour.replace(/^rgba?\((\d+), (\d+), (\d+).*$/,
    (_, red, green, blue) => `rgba(${red}, ${green}, ${blue}, ${share})`);

/** A canvas reads it back as rgb, whatever notation the style had. */
function toLegacy(colour) {
  if (colour.startsWith("rgb")) return colour;
  const context = document.createElement("canvas").getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}
