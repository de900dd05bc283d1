/**
 * Dialogs, by the browser's own element: focus stays inside, Escape closes, focus returns.
 * @module
 */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";

/**
 * Opens a dialog.
 * @param {string} title
 * @param {(close: (value?: any) => void) => Node} content
 * @param {{class?: string}} [options]
 * @returns {Promise<any>} what it was closed with; undefined when it was left
 */
export function openDialog(title, content, options = {}) {
  return new Promise((resolve) => {
    let result;
    const dialog = h("dialog", { class: `dialog ${options.class ?? ""}`, "aria-labelledby": "dialog-title" });
    const close = (value) => {
      result = value;
      dialog.close();
    };
    dialog.append(
      h("div", { class: "dialog-head" }, h("h2", { id: "dialog-title" }, title),
        h("button", { class: "quiet icon-only", "aria-label": t("action.close"), onclick: () => close() },
          icon("cross"))),
      content(close));
    dialog.addEventListener("click", (event) => event.target === dialog && close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(result);
    });
    document.body.append(dialog);
    dialog.showModal();
    (dialog.querySelector("[autofocus]") ?? dialog.querySelector("input, select, textarea"))?.focus();
  });
}

/** Asks before something that cannot be undone. */
export function confirmDialog(title, text, label) {
  return openDialog(title, (close) => h("div", { class: "stack" }, h("p", {}, text),
    h("div", { class: "row end" },
      h("button", { onclick: () => close(false) }, t("action.cancel")),
      h("button", { class: "danger", autofocus: true, onclick: () => close(true) }, label))));
}
