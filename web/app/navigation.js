/**
 * Going from view to view: how to get to another one, and what happens when the address has changed, until
 * its view has the focus or there are words for why it did not come.
 *
 * Which view that is, is told by what starts the page: the views themselves import this.
 * @module
 */
import { h, replace } from "./dom.js";
import { t } from "./i18n.js";
import { ApiError, NetworkError } from "./api.js";
import { explained } from "./problems.js";
import { session } from "./session.js";
import { Scope } from "./scope.js";

let current = null;

/** What the page was last built anew for: never twice for the same. */
const renewed = "bitpal.renewed";

/**
 * Shows views in an element, now and whenever the address changes.
 * @param {HTMLElement} main
 * @param {() => {route: any, parts: string[], path: string, query: URLSearchParams}} resolve
 *   what the address names
 * @param {(nav?: string) => void} onView told of where in the navigation the view is
 */
export function start(main, resolve, onView) {
  addEventListener("hashchange", () => show(main, resolve, onView));
  return show(main, resolve, onView);
}

/** Goes to a route. */
export function go(path) {
  if (location.pathname !== "/") location.href = `/#${path}`;
  else if (location.hash === `#${path}`) again();
  else location.hash = path;
}

/** Shows the view once more, from the beginning. */
export const again = () => dispatchEvent(new HashChangeEvent("hashchange"));

async function show(main, resolve, onView) {
  const { route, parts, path, query } = resolve();
  if (route.isOwned && !session.user) {
    const next = query.size ? `${path}?${query}` : path;
    return go(`/sign-in?next=${encodeURIComponent(next)}`);
  }
  current?.stop();
  const scope = new Scope();
  current = scope;
  main.setAttribute("aria-busy", "true");
  try {
    const module = await later(route.load);
    if (scope.isStopped) return;
    const root = h("div", { class: "view" });
    const title = await later(() => module.show(root, { parts, query, scope }));
    if (scope.isStopped) return;
    replace(main, root);
    setTitle(title);
    onView(route.nav);
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
  } catch (error) {
    if (error.name === "AbortError" || scope.isStopped) return;
    // A fault of the page itself: whoever looks for it finds where.
    if (!(error instanceof ApiError) && !(error instanceof NetworkError)) console.error(error);
    replace(main, failure(error, () => show(main, resolve, onView)));
    setTitle(t("error.title"));
    onView(route.nav);
  } finally {
    if (!scope.isStopped) main.removeAttribute("aria-busy");
  }
}

/** Names the page, in the window and for who listens. */
export function setTitle(title) {
  document.title = title ? `${title} · Bitpal` : "Bitpal";
}

/**
 * Runs what loads modules. One that cannot be fetched is a server that cannot be reached; one that does not
 * fit the others is of a newer page, which is built anew. Any other error stays what it is.
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
