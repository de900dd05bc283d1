/**
 * Forms: a label for every field, and what is wrong with it beside it.
 * @module
 */
import { h, replace, setText } from "./dom.js";
import { t } from "./i18n.js";
import { ApiError } from "./api.js";
import { explained } from "./problems.js";
import { plain, typed } from "./format.js";

let count = 0;
/** What fields say of a value that is refused, by their control. */
const explainers = new WeakMap();

/**
 * A labelled field.
 * @param {string} label
 * @param {object} props of the input; `name` is the API's name of the field; `hint` is said below it;
 *   `options` (pairs of value and text) make it a choice, `rows` a text area, `isDecimal` a number that is shown and
 *   typed as the locale has it; `explains` says in its own words why the API refuses the value
 */
export function field(label, { hint, options, rows, suffix, isDecimal, explains, ...props }) {
  const id = `field-${++count}`;
  const about = `${id}-about`;
  const shared = { id, "aria-describedby": about, ...props };
  if (isDecimal) {
    Object.assign(shared, { inputmode: "decimal", autocomplete: "off", dataset: { decimal: "" },
      value: typed(String(props.value ?? "")) });
  }
  let control;
  if (options) {
    control = h("select", shared, options.map(([value, text]) =>
      h("option", { value, selected: value === (props.value ?? "") }, text)));
  } else if (rows) {
    control = h("textarea", { ...shared, rows });
  } else {
    control = h("input", { type: "text", ...shared });
  }
  if (explains) explainers.set(control, explains);
  return h("div", { class: "field" }, h("label", { for: id }, label),
    suffix ? h("div", { class: "with-suffix" }, control, suffix) : control,
    h("p", { class: "field-about", id: about, dataset: { hint: hint ?? "" } }, hint ?? ""));
}

/** Tells a password store whose password a form asks for; nobody sees it. */
export const username = (email) => h("input", { type: "text", autocomplete: "username", value: email,
  hidden: true });

/** A box to tick, with its label beside it. */
export function tick(label, props) {
  const id = `field-${++count}`;
  return h("div", { class: "tick" }, h("input", { type: "checkbox", id, ...props }),
    h("label", { for: id }, label));
}

/**
 * A form that is sent once at a time. What the API refuses is shown at its field, or above the button.
 * @param {{fields: any, submit: string, run: (values: Record<string, string>) => Promise<void>, extra?: any,
 *   class?: string}} options
 */
export function form({ fields, submit, run, extra, class: name = "" }) {
  const message = h("p", { class: "form-error", role: "alert" });
  const button = h("button", { class: "primary", type: "submit" }, submit);
  const element = h("form", { class: `form ${name}`, novalidate: true, onsubmit: send,
    oninput: ({ target }) => (setText(message, ""), accept(target)) }, fields, message,
    h("div", { class: "row" }, button, extra));
  async function send(event) {
    event.preventDefault();
    if (button.disabled) return;
    clear();
    const missing = [...element.querySelectorAll("[required]")].find((input) => !input.value);
    if (missing) return refuse(missing, t("form.required"));
    button.disabled = true;
    element.setAttribute("aria-busy", "true");
    try {
      await run(valuesOf(element));
    } catch (error) {
      if (error.name === "AbortError") return;
      const at = controlOf(element, error);
      if (at) refuse(at, explainers.get(at)?.(error) ?? explained(error, at.labels?.[0]?.textContent));
      else replace(message, explained(error));
    } finally {
      button.disabled = false;
      element.removeAttribute("aria-busy");
    }
  }
  function clear() {
    setText(message, "");
    for (const input of element.querySelectorAll("[aria-invalid]")) accept(input);
  }
  return element;
}

/** The field that an error of the API is about. */
function controlOf(element, error) {
  if (!(error instanceof ApiError)) return null;
  if (error.code === "weak-password") return element.querySelector("[autocomplete=new-password]");
  // A part of something is called by the whole way to it: "condition.level".
  const name = error.field?.split(/[.[/]/).filter(Boolean).at(-1);
  const found = error.field && (element.elements.namedItem(error.field) ?? element.elements.namedItem(name));
  return found instanceof Element ? found : null;
}

/** Says no longer what was wrong with a field. */
function accept(input) {
  if (!input.hasAttribute("aria-invalid")) return;
  input.removeAttribute("aria-invalid");
  const about = document.getElementById(input.getAttribute("aria-describedby"));
  if (about) setText(about, about.dataset.hint);
}

/** Says another help below a field; what is wrong with it stays until it is no longer so. */
export function setHint(input, text) {
  const about = document.getElementById(input.getAttribute("aria-describedby"))
    ?? input.closest(".field")?.querySelector(".field-about");
  if (!about) return;
  about.dataset.hint = text;
  if (!input.hasAttribute("aria-invalid")) setText(about, text);
}

/** Says what is wrong with a field, and goes there. */
export function refuse(input, text) {
  input.setAttribute("aria-invalid", "true");
  const about = document.getElementById(input.getAttribute("aria-describedby"));
  if (about) replace(about, text);
  input.focus();
}

/** The values of a form by name; a box that is ticked is true. */
export function valuesOf(element) {
  const values = {};
  for (const input of element.elements) {
    if (!input.name) continue;
    if (input.type === "checkbox") values[input.name] = input.checked;
    else if (input.dataset.decimal !== undefined) values[input.name] = plain(input.value);
    else if (input.type !== "radio" || input.checked) values[input.name] = textOf(input);
  }
  return values;
}

/** What is around a text is seldom meant; of a password every character is. */
const textOf = ({ type, value }) => (type === "password" ? value : value.trim());
