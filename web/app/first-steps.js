/**
 * A short help for the first visit, until it is dismissed: the account remembers that, on every device.
 * @module
 */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";
import { change, session } from "./session.js";
import { attempt } from "./toast.js";

const name = "first-steps";

/** The help, or nothing where it was dismissed. @param {() => void} onSearch begins the first step */
export function firstSteps(onSearch) {
  const done = session.settings.onboarding ?? [];
  if (!session.user || done.includes(name)) return null;
  const dismiss = () => attempt(async () => {
    await change({ onboarding: [...done, name] });
    element.remove();
    document.getElementById("main").focus();
  });
  const step = (picture, title, about, way) => h("li", {}, icon(picture), h("div", {}, way(title),
    h("p", { class: "muted" }, about)));
  const link = (path) => (text) => h("a", { href: `/#${path}` }, text);
  const element = h("section", { class: "panel first-steps", "aria-labelledby": "first-steps" },
    h("div", { class: "panel-head" }, h("h2", { id: "first-steps" }, t("start.title")),
      h("p", { class: "muted" }, t("start.about")),
      h("button", { class: "small quiet", onclick: dismiss }, t("start.done"))),
    h("ol", {},
      step("plus", t("start.watch"), t("start.watchAbout"),
        (text) => h("button", { class: "link", onclick: onSearch }, text)),
      step("bell", t("start.alert"), t("start.alertAbout"), link("/alerts")),
      step("pulse", t("start.tell"), t("start.tellAbout"), link("/alerts/channels"))));
  return element;
}
