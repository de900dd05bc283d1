/**
 * The routes: which view an address names, with what parameters, whether it is only for who is signed in, and
 * where in the navigation it is. Views are modules, loaded when they are first needed.
 *
 * Routes are in the fragment (`/#/alerts`), except those that links from outside lead to: `/setup`,
 * `/sign-up`, `/reset`, `/verify` with a secret in the fragment, `/shared/<token>`, `/alert?id=…` and
 * `/unsubscribe?token=…`.
 *
 * Only what starts the page imports this: every view is reached from here, and none is to lead back.
 * @module
 */

const routes = [
  { pattern: /^\/$/, load: () => import("./views/home.js"), nav: "home" },
  { pattern: /^\/instrument\/(.+)$/, load: () => import("./views/instrument.js"), nav: "home" },
  { pattern: /^\/discover$/, load: () => import("./views/discover.js"), nav: "discover" },
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

/** What the address names: a route, the parts of its path, the path itself and what is asked besides. */
export function currentRoute() {
  const { path, query, token } = place();
  const { route, parts } = find(path);
  return { route, parts: token ? [token] : parts, path, query };
}

/** Loads the views that are not needed yet, so that they are there at once, and without a network. */
export async function prefetch() {
  for (const { load } of routes) await load().catch(() => {});
}

/** The address as a path and what follows its question mark. */
function place() {
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
