/**
 * What is around every view: the header with its navigation, search and the state of the connection, messages
 * that pass, and the keys that work everywhere.
 * @module
 */
import { h, replace } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";
import { session, isOperator } from "./session.js";
import { connectionChip } from "./connection.js";
import { go, later } from "./navigation.js";
import { attempt, toastArea } from "./toast.js";

const places = () => [
  { name: "home", path: "/", icon: "list", label: t("nav.watchlist") },
  { name: "discover", path: "/discover", icon: "compass", label: t("nav.discover") },
  { name: "alerts", path: "/alerts", icon: "bell", label: t("nav.alerts") },
  { name: "portfolio", path: "/portfolio", icon: "pie", label: t("nav.portfolio") },
  ...(isOperator() ? [{ name: "status", path: "/status", icon: "pulse", label: t("nav.status") }] : []),
  { name: "settings", path: "/settings", icon: "gear", label: t("nav.settings") },
];

/**
 * Builds the shell in an element.
 * @returns {{main: HTMLElement, mark: (nav?: string) => void}} where views go, and what marks the place
 */
export function build(app) {
  const main = h("main", { id: "main", tabindex: "-1" });
  const nav = h("nav", { class: "nav", "aria-label": t("nav.label") });
  const account = h("div", { class: "header-account" });
  let marked;
  const mark = (name) => {
    marked = name;
    replace(nav, places().map((place) => h("a", {
      href: `/#${place.path}`, "aria-current": place.name === name ? "page" : null,
    }, icon(place.icon), h("span", {}, place.label))));
    replace(account, session.user
      ? h("a", { class: "button quiet account-link", href: "/#/settings", "aria-label": session.user.email,
        title: session.user.email }, icon("person"))
      : h("a", { class: "button primary small", href: "/#/sign-in" }, t("action.signIn")));
  };
  const search = h("button", { class: "quiet search-open", onclick: openSearch, "aria-keyshortcuts": "/",
    "aria-label": t("search.open") },
    icon("search"), h("span", { class: "wide-only" }, t("search.open")),
      h("kbd", { class: "wide-only" }, "/"));
  replace(app,
    h("a", { class: "skip", href: "#main", onclick: (event) => (event.preventDefault(), main.focus()) },
      t("nav.skip")),
    h("header", { class: "header" },
      h("a", { class: "brand", href: "/#/", "aria-label": t("nav.home") },
        h("img", { src: "/icons/icon.svg", alt: "", width: "24", height: "24" }), h("span", {}, "Bitpal")),
      nav, h("div", { class: "header-end" }, connectionChip(), search, account)),
    main,
    h("footer", { class: "footer" }, h("a", { href: "/#/about" }, t("nav.about")),
      h("a", { href: "/docs" }, t("nav.api"))),
    toastArea());
  mark(marked);
  return { main, mark };
}

const openSearch = () => attempt(async () => {
  const { openSearchDialog } = await later(() => import("./search.js"));
  openSearchDialog({ onPick: (instrument) => go(`/instrument/${instrument}`) });
});

const openKeys = () => attempt(async () => (await later(() => import("./keys-dialog.js"))).showKeys());

const jumps = { h: "/", d: "/discover", a: "/alerts", p: "/portfolio", s: "/settings" };

/** `/` searches; `g` and then a letter goes somewhere; `?` lists the keys. */
export function listenToKeys() {
  let awaits = 0;
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable], dialog")) return;
    if (event.key === "/") {
      event.preventDefault();
      openSearch();
    } else if (event.key === "?") {
      openKeys();
    } else if (event.key === "g") {
      awaits = event.timeStamp + 1500;
    } else if (event.timeStamp < awaits && jumps[event.key]) {
      awaits = 0;
      go(jumps[event.key]);
    }
  });
}
