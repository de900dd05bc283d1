/**
 * Dialogs, by the browser's own element: focus stays inside, Escape closes, focus returns.
 * @module
 */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";

let count = 0;

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
    // A dialog may open above another: each is called by a title of its own.
    const name = `dialog-title-${++count}`;
    const dialog = h("dialog", { class: `dialog ${options.class ?? ""}`, "aria-labelledby": name });
    const close = (value) => {
      result = value;
      dialog.close();
    };
    dialog.append(
      h("div", { class: "dialog-head" }, h("h2", { id: name }, title),
        h("button", { class: "quiet icon-only", "aria-label": t("action.close"), onclick: () => close() },
          icon("cross"))),
      content(close));
    leaveBeside(dialog, close);
    const end = leaveWithView(close);
    dialog.addEventListener("close", () => {
      end();
      dialog.remove();
      resolve(result);
    });
    document.body.append(dialog);
    dialog.showModal();
    (dialog.querySelector("[autofocus]") ?? dialog.querySelector("input, select, textarea"))?.focus();
  });
}

/** Closes by a click beside the dialog; one that began inside, such as to select a text, is none. */
function leaveBeside(dialog, close) {
  let isBeside = false;
  dialog.addEventListener("pointerdown", ({ target }) => {
    isBeside = target === dialog;
  });
  dialog.addEventListener("click", ({ target }) => isBeside && target === dialog && close());
}

/** Closes when another view takes the place; gives what ends that. */
function leaveWithView(close) {
  const { href } = location;
  // The same view may be shown anew beneath, without anybody having left.
  const leave = () => location.href !== href && close();
  addEventListener("hashchange", leave);
  return () => removeEventListener("hashchange", leave);
}

/** Asks before something that cannot be undone. */
export function confirmDialog(title, text, label) {
  return openDialog(title, (close) => h("div", { class: "stack" }, h("p", {}, text),
    h("div", { class: "row end" },
      h("button", { onclick: () => close(false) }, t("action.cancel")),
      h("button", { class: "danger", autofocus: true, onclick: () => close(true) }, label))));
}
