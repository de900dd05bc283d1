/**
 * Starts the page: who is there, the shell around the views, the stream, and the worker that keeps the shell for
 * when there is no network.
 * @module
 */
import { build, listenToKeys } from "./shell.js";
import { load, mayBeSignedIn, session, stored, applyTheme } from "./session.js";
import { begin } from "./api.js";
import { start, go, prefetch } from "./router.js";
import { stream } from "./stream.js";
import { toast } from "./toast.js";
import { loadWords, t } from "./i18n.js";
import { firingText } from "./firing-text.js";

applyTheme(stored().theme);
// From the start: what the worker says before anybody listens is lost.
navigator.serviceWorker?.addEventListener("message", ({ data }) => {
  if (data?.open) location.href = data.open;
  if (data?.subscribeAgain && session.user) import("./push.js").then(({ register }) => register()).catch(() => {});
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
    const nameOf = ({ rule, epoch, kind }) => `${rule}/${epoch}/${kind}`;
    const fresh = firings.filter((firing) => !known.has(nameOf(firing)));
    for (const firing of firings) known.add(nameOf(firing));
    const isNews = type === "change" || (type === "snapshot" && !isFirst);
    if (type === "snapshot") isFirst = false;
    if (!isNews || !fresh.length) return;
    for (const firing of fresh) {
      toast(firingText(firing), { kind: "good",
        action: { label: t("action.show"), run: () => go("/alerts/firings") } });
    }
    dispatchEvent(new CustomEvent("bitpal:firing", { detail: fresh }));
  });
}

addEventListener("bitpal:unauthenticated", () => {
  if (!session.user) return;
  session.user = null;
  toast(t("session.ended"), { action: { label: t("action.signIn"), run: () => go("/sign-in") } });
});
/** After who is there, or the language, changed everything is built again. */
addEventListener("bitpal:rebuild", () => location.reload());

followAlerts();
addEventListener("bitpal:signed-in", followAlerts);
listenToKeys();
await start(main, mark);

/** When nothing else is to be done: the other views, and the worker that keeps all of it. */
async function settle() {
  await prefetch();
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  try {
    await navigator.serviceWorker.register("/service-worker.js");
    const worker = await navigator.serviceWorker.ready;
    const files = performance.getEntriesByType("resource").map((entry) => new URL(entry.name).pathname)
      .filter((path) => /^\/(app|styles|i18n|icons|vendor)\//.test(path));
    worker.active.postMessage({ keep: [...new Set(files)] });
  } catch {
    // The page works without it.
  }
}

(window.requestIdleCallback ?? setTimeout)(settle);
