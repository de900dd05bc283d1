/**
 * The demo's sample: one button that gives an account something to look at.
 * @module
 */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { repeatable } from "./repeatable.js";
import { session } from "./session.js";
import { attempt } from "./toast.js";

/** The button for a place that is empty; nothing where the market is no demo's, or nobody is signed in. */
export function sampleButton() {
  if (!session.isDemo || !session.user) return null;
  const send = repeatable();
  const button = h("button", { onclick: async () => {
    button.disabled = true;
    // What is everywhere new is read anew everywhere.
    if (await attempt(() => send("/demo/sample", { name: t("sample.name") }), t("sample.made"))) location.reload();
    button.disabled = false;
  } }, t("sample.make"));
  return button;
}
