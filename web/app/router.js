/**
 * The view that the address names. Views are modules, loaded when they are first needed.
 *
 * Routes are in the fragment (`/#/alerts`), except those that links from outside lead to: `/setup`, `/sign-up`,
 * `/reset`, `/verify` with a secret in the fragment, `/shared/<token>`, `/alert?id=…` and `/unsubscribe?token=…`.
 * @module
 */
import { h, replace } from "./dom.js";
import { t } from "./i18n.js";
import { ApiError, NetworkError } from "./api.js";
import { explained } from "./problems.js";
import { session } from "./session.js";
import { Scope } from "./scope.js";

const routes = [
  { pattern: /^\/$/, load: () => import("./views/home.js"), nav: "home" },
  { pattern: /^\/instrument\/(.+)$/, load: () => import("./views/instrument.js"), nav: "home" },
  { pattern: /^\/alerts(?:\/(\w+))?$/, load: () => import("./views/alerts.js"), nav: "alerts",
    isOwned: true },
  { pattern: /^\/portfolio(?:\/([^/]+))?(?:\/([^/]+))?$/, load: () => import("./views/portfolio.js"),
    nav: "portfolio", isOwned: true },
  { pattern: /^\/status$/, load: () => import("./views/status.js"), nav: "status",
    isOwned: true },
  { pattern: /^\/settings(?:\/(\w+))?$/, load: () => import("./views/settings.js"), nav: "settings" },
  { pattern: /^\/sign-in$/, load: () => import("./views/sign-in.js") },
  { pattern: /^\/sign-up$/, load: () => import("./views/sign-up.js") },
  { pattern: /^\/(reset|verify)$/, load: () => import("./views/reset.js") },
  { pattern: /^\/apple$/, load: () => import("./views/apple.js") },
  { pattern: /^\/about$/, load: () => import("./views/about.js") },
];

let current = null;

/** What the page was last built anew for: never twice for the same. */
const renewed = "bitpal.renewed";

/** Shows views in an element, now and whenever the address changes. */
export function start(main, onView) {
  addEventListener("hashchange", () => show(main, onView));
  return show(main, onView);
}

/** The address as a path and what follows its question mark. */
export function place() {
  // Links of letters: a page of the gateway, with a secret in the fragment, which no server sees.
  if (/^\/(setup|sign-up|reset|verify)$/.test(location.pathname)) {
    return { path: location.pathname, query: new URLSearchParams(location.hash.slice(1)) };
  }
  if (location.pathname === "/unsubscribe") {
    return { path: location.pathname, query: new URLSearchParams(location.search) };
  }
  // What messages about an alert lead to.
  if (location.pathname === "/alert") {
    return { path: "/alerts/firings", query: new URLSearchParams(location.search) };
  }
  const shared = /^\/shared\/([^/]+)$/.exec(location.pathname);
  if (shared) return { path: location.pathname, query: new URLSearchParams(), token: shared[1] };
  const [path, query] = (location.hash.slice(1) || "/").split("?");
  return { path: path || "/", query: new URLSearchParams(query ?? "") };
}

/** Goes to a route. */
export function go(path) {
  if (location.pathname !== "/") location.href = `/#${path}`;
  else if (location.hash === `#${path}`) again();
  else location.hash = path;
}

/** Shows the view once more, from the beginning. */
export const again = () => dispatchEvent(new HashChangeEvent("hashchange"));

async function show(main, onView) {
  const { path, query, token } = place();
  const found = find(path);
  if (found.route.isOwned && !session.user) {
    const next = query.size ? `${path}?${query}` : path;
    return go(`/sign-in?next=${encodeURIComponent(next)}`);
  }
  current?.stop();
  const scope = new Scope();
  current = scope;
  main.setAttribute("aria-busy", "true");
  try {
    const module = await later(found.route.load);
    if (scope.isStopped) return;
    const root = h("div", { class: "view" });
    const parts = token ? [token] : found.parts;
    const title = await later(() => module.show(root, { parts, query, scope }));
    if (scope.isStopped) return;
    replace(main, root);
    setTitle(title);
    onView(found.route.nav);
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
  } catch (error) {
    if (error.name === "AbortError" || scope.isStopped) return;
    // A fault of the page itself: whoever looks for it finds where.
    if (!(error instanceof ApiError) && !(error instanceof NetworkError)) console.error(error);
    replace(main, failure(error, () => show(main, onView)));
    setTitle(t("error.title"));
    onView(found.route.nav);
  } finally {
    if (!scope.isStopped) main.removeAttribute("aria-busy");
  }
}

/** Loads the views that are not needed yet, so that they are there at once, and without a network. */
export async function prefetch() {
  for (const { load } of routes) await load().catch(() => {});
}

function find(path) {
  if (path === "/setup") return { route: { load: () => import("./views/setup.js") }, parts: [] };
  if (path === "/unsubscribe") return { route: { load: () => import("./views/unsubscribe.js") }, parts: [] };
  if (path.startsWith("/shared/")) return { route: { load: () => import("./views/shared.js") }, parts: [] };
  for (const route of routes) {
    const match = route.pattern.exec(path);
    if (match) return { route, parts: match.slice(1).map((part) => part && decodeURIComponent(part)) };
  }
  return { route: routes[0], parts: [] };
}

/** Names the page, in the window and for who listens. */
export function setTitle(title) {
  document.title = title ? `${title} · Bitpal` : "Bitpal";
}

/**
 * Runs what loads modules. One that cannot be fetched is a server that cannot be reached; one that does not fit the
 * others is of a newer page, which is built anew. Any other error stays what it is.
 */
export async function later(load) {
  try {
    return await load();
  } catch (error) {
    if (isUnreachable(error)) throw new NetworkError();
    if (!isOfNewerPage(error) || sessionStorage.getItem(renewed) === error.message) throw error;
    sessionStorage.setItem(renewed, error.message);
    location.reload();
    return await new Promise(() => {});
  }
}

const isUnreachable = (error) =>
  error instanceof TypeError && /imported module|importing a module/i.test(error.message);

/** To browsers a name that a module does not have is a fault of its text, as others are of JSON. */
const isOfNewerPage = (error) =>
  error instanceof SyntaxError && /requested module|importing binding/i.test(error.message);

function failure(error, again) {
  return h("div", { class: "view" }, h("section", { class: "empty", role: "alert" },
    h("h1", {}, t("error.title")), h("p", {}, explained(error)),
    h("button", { class: "primary", onclick: again }, t("action.tryAgain"))));
}
