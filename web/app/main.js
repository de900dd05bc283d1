/**
 * Starts the page: who is there, the shell around the views, the stream, and the worker that keeps the shell for
 * when there is no network.
 * @module
 */
import { build, listenToKeys } from "./shell.js";
import {
  load, mayBeSignedIn, session, stored, applyTheme, forgetSession, isQuiet, notifications,
} from "./session.js";
import { begin } from "./api.js";
import { currentRoute, prefetch } from "./routes.js";
import { start, go } from "./navigation.js";
import { stream } from "./stream.js";
import { toast } from "./toast.js";
import { loadWords, t } from "./i18n.js";
import { firingKey, firingText } from "./firing-text.js";

applyTheme(stored().theme);
// From the start: what the worker says before anybody listens is lost.
navigator.serviceWorker?.addEventListener("message", ({ data }) => {
  if (data?.open) location.href = data.open;
  if (data?.subscribeAgain) renewDevice().catch(() => {});
});
stream.connect();
loadWords(stored().locale).catch(() => {});
if (!mayBeSignedIn()) beginView("/tickers");
await load(() => {
  import("./watchlists.js").catch(() => {});
  beginView("/watchlists");
});

const { main, mark } = build(document.getElementById("app"));
let endAlerts = null;
let unseen = 0;

/** What the first view needs is asked for before it is there to ask. */
function beginView(path) {
  if (location.pathname === "/" && /^(#\/)?$/.test(location.hash)) begin(path);
}

/** Says each alert that fires, on every view. */
function followAlerts() {
  endAlerts?.();
  // What was there from the start is known; what a later snapshot has beside it is new, as by polling.
  const known = new Set();
  let isFirst = true;
  endAlerts = session.user && stream.subscribe("alerts", "", ({ type, data }) => {
    const firings = [data ?? []].flat();
    const fresh = firings.filter((firing) => !known.has(firingKey(firing)));
    for (const firing of firings) known.add(firingKey(firing));
    const isNews = type === "change" || (type === "snapshot" && !isFirst);
    if (type === "snapshot") isFirst = false;
    if (!isNews || !fresh.length) return;
    tell(fresh);
    dispatchEvent(new CustomEvent("bitpal:firing", { detail: fresh }));
  });
}

/** Says what fired as the user wants to be told. */
function tell(firings) {
  const { alerts, badges } = notifications();
  if (!alerts) return;
  if (badges && document.hidden) navigator.setAppBadge?.(unseen += firings.length).catch(() => {});
  if (isQuiet()) return;
  for (const firing of firings) {
    toast(firingText(firing), { kind: "good",
      action: { label: t("action.show"), run: () => go("/alerts/firings") } });
  }
}

/** The icon counts what fired while nobody looked. */
function endCount() {
  if (document.hidden) return;
  unseen = 0;
  navigator.clearAppBadge?.().catch(() => {});
}

/** Tells the server where this browser is, if it is a device of who is signed in. */
async function renewDevice() {
  if (session.user) await (await import("./push.js")).renew();
}

addEventListener("bitpal:unauthenticated", () => {
  if (!session.user) return;
  forgetSession();
  toast(t("session.ended"), { action: { label: t("action.signIn"), run: () => go("/sign-in") } });
});
/** After who is there, or the language, changed everything is built again. */
addEventListener("bitpal:rebuild", () => location.reload());

followAlerts();
endCount();
document.addEventListener("visibilitychange", endCount);
addEventListener("bitpal:signed-in", followAlerts);
listenToKeys();
await start(main, currentRoute, mark);

/**
 * When nothing else is to be done: the other views, and the worker that keeps all of it. Where data are dear it keeps
 * only what was needed.
 */
async function settle() {
  const isSparing = navigator.connection?.saveData;
  if (!isSparing) await prefetch();
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  try {
    await navigator.serviceWorker.register("/service-worker.js");
    const worker = await navigator.serviceWorker.ready;
    await renewDevice().catch(() => {});
    const files = performance.getEntriesByType("resource").map((entry) => new URL(entry.name).pathname)
      .filter((path) => /^\/(app|styles|i18n|icons|vendor)\//.test(path));
    worker.active.postMessage({ keep: [...new Set(files)], isSparing });
  } catch {
    // The page works without it.
  }
}

// A device that is never idle keeps the page, too.
if (window.requestIdleCallback) requestIdleCallback(settle, { timeout: 5_000 });
else setTimeout(settle);
