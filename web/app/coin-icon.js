/**
 * Pictures of coins, which the server draws of their codes.
 * @module
 */
import { h } from "./dom.js";

/**
 * A coin's picture. It says nothing to who cannot see it: the coin's name is beside it.
 * @param {string | null | undefined} code such as BTC; its place is kept where nobody knows the code yet
 */
export function coinIcon(code) {
  if (!code) return h("span", { class: "coin-icon" });
  return h("img", { class: "coin-icon", src: `/v1/icons/${encodeURIComponent(code)}`, alt: "", width: "20",
    height: "20", decoding: "sync" });
}
