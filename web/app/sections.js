/**
 * Links to the parts of a view.
 * @module
 */
import { h } from "./dom.js";

/** The first part is the view's own address. */
export function sections(path, names, current, label) {
  const nav = h("nav", { class: "tabs", "aria-label": label(current) }, names.map((name, index) => h("a", {
    href: `/#${path}${index ? `/${name}` : ""}`, "aria-current": name === current ? "page" : null },
      label(name))));
  // On a narrow page the links scroll: the one of this part is to be seen, once all of them are in the page.
  new ResizeObserver(() => {
    const link = nav.querySelector("[aria-current]");
    if (link) nav.scrollLeft = link.offsetLeft - nav.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
  }).observe(nav);
  // A link that has the focus is seen whole, and a part of the next one with it.
  nav.addEventListener("focusin", ({ target }) => target.scrollIntoView({ block: "nearest", inline: "center" }));
  return nav;
}
