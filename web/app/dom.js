/**
 * Elements made in code. Text becomes text nodes, never markup, so that no value from outside can be one.
 * @module
 */

const svgNamespace = "http://www.w3.org/2000/svg";

/**
 * Makes an HTML element.
 * @param {string} tag such as `button`
 * @param {object} [props] attributes; `class`, `onclick` and other listeners, `style` as an object, `dataset`;
 *   `true` sets an empty attribute, `false`, `null` and `undefined` leave it out
 * @param {...any} children elements, texts, arrays of them; nothing for null and false
 */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** Makes an SVG element, in the same way. */
export function s(tag, props, ...children) {
  return fill(document.createElementNS(svgNamespace, tag), props, children);
}

/** What the server says in English: whoever hears or translates it is told so. */
export const foreign = (text) => h("span", { lang: "en", dir: "auto" }, text);

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) setProp(element, name, value);
  append(element, children);
  return element;
}

function setProp(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) return element.addEventListener(name.slice(2), value);
  if (name === "style") {
    for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
  } else if (name === "dataset") {
    Object.assign(element.dataset, value);
  } else if (name === "value" && "value" in element) {
    element.value = value;
  } else {
    element.setAttribute(name, value === true ? "" : value);
  }
}

/** Adds children as {@link h} does. */
export function append(element, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** Puts children in the place of what an element has. */
export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** Sets an element's text when it is another one; true then. */
export function setText(element, text) {
  if (element.textContent === text) return false;
  element.textContent = text;
  return true;
}

/**
 * Brings the children of an element in line with a list: keeps those whose key is still there, in the new order.
 * @param {Element} parent
 * @param {any[]} items
 * @param {(item: any) => string} key
 * @param {(item: any) => Element} create
 * @param {(element: Element, item: any) => void} [update]
 */
export function reconcile(parent, items, key, create, update) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  let place = parent.firstElementChild;
  for (const item of items) {
    const name = key(item);
    let element = old.get(name);
    if (element) {
      old.delete(name);
    } else {
      element = create(item);
      element.dataset.key = name;
    }
    update?.(element, item);
    if (element === place) place = place.nextElementSibling;
    else parent.insertBefore(element, place);
  }
  for (const element of old.values()) element.remove();
}

/**
 * Shows a list anew. Where that takes away what had the keyboard's focus, its like has it then: at the same place of
 * the row that stands there now.
 * @param {() => Element | null} list finds the list, before and after
 * @param {() => void} show
 */
export function keepingFocus(list, show) {
  const held = document.activeElement;
  const place = [...(list()?.children ?? [])].findIndex((row) => row.contains(held));
  const part = place < 0 ? -1 : controls(list().children[place]).indexOf(held);
  show();
  if (part < 0 || held.isConnected && held === document.activeElement) return;
  const rows = [...(list()?.children ?? [])];
  const likes = rows.length ? controls(rows[Math.min(place, rows.length - 1)]) : [];
  likes[Math.min(part, likes.length - 1)]?.focus({ preventScroll: true });
}

const controls = (row) => [...row.querySelectorAll("a[href], button, input, select")].filter((one) => !one.disabled);

/** Runs a function once more at most every so many milliseconds, the last time included. */
export function paced(milliseconds, run) {
  let timer = 0;
  let last = 0;
  return () => {
    if (timer) return;
    const wait = Math.max(0, last + milliseconds - performance.now());
    timer = setTimeout(() => {
      timer = 0;
      last = performance.now();
      run();
    }, wait);
  };
}
