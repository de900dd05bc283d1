/**
 * Messages that pass: said aloud, and gone after a while. What must not be missed belongs into a dialog.
 * @module
 */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { explained } from "./problems.js";
import { icon } from "./icons.js";

let area;

/** Where they appear; made once. */
export function toastArea() {
  area = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
  return area;
}

/**
 * Says something.
 * @param {string | any[]} text or pieces of it
 * @param {{kind?: "plain"|"good"|"bad", action?: {label: string, run: () => void}}} [options]
 */
export function toast(text, { kind = "plain", action } = {}) {
  const close = () => element.remove();
  const element = h("div", { class: `toast ${kind}` }, h("span", {}, text),
    action && h("button", { class: "small", onclick: () => (close(), action.run()) }, action.label),
    h("button", { class: "quiet small icon-only", "aria-label": t("action.close"), onclick: close },
      icon("cross")));
  area.append(element);
  while (area.children.length > 3) area.firstElementChild.remove();
  setTimeout(close, action ? 10_000 : 6_000);
}

/** Says what went wrong. */
export function toastError(error) {
  if (error?.name !== "AbortError") toast(explained(error), { kind: "bad" });
}

/** Runs what a person asked for; an error is said. True when all went well. */
export async function attempt(run, done) {
  try {
    await run();
    if (done) toast(done, { kind: "good" });
    return true;
  } catch (error) {
    toastError(error);
    return false;
  }
}
