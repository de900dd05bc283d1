/**
 * One instrument: chart, book, depth, trades, statistics, and the alerts on it.
 * @module
 */
import { foreign, h, replace, setText } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { coinIcon } from "../coin-icon.js";
import * as format from "../format.js";
import * as decimal from "../decimal.js";
import { get, instrumentPath, itemsOf, post } from "../api.js";
import { session } from "../session.js";
import { follow, note, quoteOf, shownPrice } from "../quotes.js";
import { flash, showChange, showOrigin, split } from "../quote-row.js";
import { knownTerms, noteTerms, sizeUnit } from "../units.js";
import { isOutage, recall } from "../last-known.js";
import { stream } from "../stream.js";
import { isLive } from "../connection.js";
import { staleBanner } from "../stale-banner.js";
import { attempt, toast } from "../toast.js";
import { setTitle, go, again, later } from "../navigation.js";
import { PriceChart } from "../instrument/chart.js";
import { Candles } from "../instrument/candles.js";
import { chartControls } from "../instrument/chart-controls.js";
import { BookPanel } from "../instrument/book.js";
import { DepthPanel } from "../instrument/depth.js";
import { TradesPanel } from "../instrument/trades.js";
import { FactsPanel } from "../instrument/facts.js";

/** Shows it. */
export async function show(root, { parts: [instrument], scope }) {
  const { details, isOld, time } = await known(instrument, scope);
  if (isOld) askAgain(instrument, scope);
  if (details.ticker) note(details.ticker, instrument, time);
  noteTerms(instrument, details);
  const terms = knownTerms(instrument);
  // Where somebody clicked is no price of the instrument: the nearest below that is one.
  const priced = (level) => (level && details.tick_size && decimal.snap(level, details.tick_size, false)) || level;
  const makeAlert = (level) => openAlert(instrument, priced(level), () => showAlerts());
  const chart = new PriceChart(scope, makeAlert, sizeUnit(terms));
  const controls = chartControls(chart, instrument, (span) => loadChart(span));
  const chartPanel = h("section", { class: "panel flush chart-panel", tabindex: "0",
    "aria-label": t("chart.label"),
    onkeydown: (event) => {
      if (event.target !== event.currentTarget) return;
      if (event.key === "Enter") makeAlert(chart.pointedPrice ?? shownPrice(quoteOf(instrument)));
      else chart.key(event);
    } },
  controls.element, chart.element, h("p", { class: "chart-hint muted" }, t("chart.hint")));
  replace(root, header(instrument, details, scope, () => makeAlert(shownPrice(quoteOf(instrument)))),
    staleBanner(scope),
    h("div", { class: "instrument-grid" }, chartPanel, new BookPanel(instrument, terms, scope, makeAlert).element,
      new TradesPanel(instrument, terms, scope).element, new DepthPanel(instrument, terms, scope).element,
      new FactsPanel(instrument, details, terms, scope).element));

  let candles;
  let endLive = () => {};
  async function loadChart(span) {
    endLive();
    const mine = (candles = new Candles(instrument, span, scope));
    await attempt(() => mine.load());
    if (scope.isStopped || mine !== candles) return;
    chart.show(candles);
    controls.showInterval(candles.interval);
    endLive = scope.subscribe("candles", `${candles.interval}/${instrument}`, ({ data }) => {
      const newest = [data?.previous, data].flat().filter(Boolean);
      if (newest.length > 1 && mine.isBefore(newest[0]) && Date.now() - caughtUp > 5_000) return catchUp(mine);
      for (const candle of newest) {
        const place = mine.take(candle);
        if (place === "last") chart.updateLast();
        if (place === "earlier") chart.redraw();
      }
    });
  }
  /** What happened while nothing came is asked for: the stream goes on with the newest candles. */
  let isCatchingUp = false;
  let caughtUp = 0;
  async function catchUp(mine) {
    if (isCatchingUp) return;
    isCatchingUp = true;
    caughtUp = Date.now();
    // Where it fails, what comes next begins it again.
    const isJoined = await mine.catchUp().catch(() => null);
    isCatchingUp = false;
    if (isJoined === null || scope.isStopped || mine !== candles) return;
    if (isJoined) chart.redraw();
    else await loadChart(mine.span);
  }
  let wasLost = false;
  scope.listen(stream, "state", () => {
    if (wasLost && isLive() && candles) catchUp(candles);
    wasLost = !isLive();
  });
  async function showAlerts() {
    if (!session.user) return;
    try {
      const rules = itemsOf(await get("/alerts?limit=500", { signal: scope.signal }));
      chart.showAlerts(rules.filter((rule) => rule.instrument === instrument && rule.state === "armed")
        .flatMap(({ condition, note: text }) => levels(condition).map((level) => ({ level, note: text }))));
    } catch {
      // The chart is as good without the lines.
    }
  }
  scope.listen(window, "bitpal:firing", showAlerts);
  chart.open().then(async (isThere) => {
    if (isThere) await loadChart(controls.span);
    await showAlerts();
  });
  return split(instrument).symbol;
}

/** The levels of a rule's condition that can be drawn beside prices. */
function levels(condition) {
  if (condition.level && condition.crosses && condition.price) return [condition.level];
  if (condition.leaves?.low) return [condition.leaves.low, condition.leaves.high];
  return condition.candle?.level ? [condition.candle.level] : [];
}

/** What the API knows of it; while it cannot be reached what it said before, which may be nothing. */
async function known(instrument, scope) {
  try {
    const { data, isOld, time } = await recall(pathOf(instrument), { signal: scope.signal });
    return { details: data, isOld, time };
  } catch (error) {
    if (isOutage(error)) return { details: {}, isOld: true };
    throw error;
  }
}

const pathOf = (instrument) => `/instruments/${instrumentPath(instrument)}`;

/** Shows the view anew as soon as the API answers. */
function askAgain(instrument, scope) {
  const ask = async () => {
    if (!isLive()) return;
    const answer = await get(pathOf(instrument), { signal: scope.signal }).catch(() => null);
    if (answer && !scope.isStopped) again();
  };
  scope.listen(stream, "state", ask);
  scope.every(10_000, ask);
}

function header(instrument, details, scope, onAlert) {
  const { symbol, venue } = split(instrument);
  const price = h("span", { class: "big-price num", "data-testid": "price" }, "–");
  const change = h("span", { class: "change num" });
  const line = h("div", { class: "price-line" }, price, change);
  const state = h("p", { class: "muted" });
  scope.onStop(follow(instrument, (quote, before) => {
    const text = shownPrice(quote);
    const isChanged = setText(price, text ? format.price(text) : "–");
    const former = shownPrice(before);
    if (isChanged && former && text) flash(price, decimal.compare(text, former));
    showChange(change, quote);
    showOrigin(line, quote);
    showDoubt(state, quote.stale ?? "");
    if (text) setTitle(`${format.price(text)} ${symbol}`);
  }));
  const name = details.name;
  return h("div", { class: "view-head instrument-head" },
    h("div", {}, h("h1", {}, details.base && coinIcon(details.base), symbol, " ", h("span", { class: "venue" }, venue)),
      name && h("p", { class: "muted" }, name)),
    line, state,
    h("div", { class: "row end" },
      session.user && watchButton(instrument, scope),
      h("button", { class: "primary", onclick: onAlert }, icon("bell"), t("instrument.alert"))));
}

/** Why the numbers are not of now, in the API's English within words of ours. */
function showDoubt(element, reason) {
  if (element.dataset.reason === reason) return;
  element.dataset.reason = reason;
  const [before, after] = t("instrument.stale", { reason: place }).split(place);
  replace(element, reason && [before, foreign(reason), after]);
}

/** Stands for a text of the API in one of ours while it is put together. */
const place = "\u0000";

/** Puts it on the first list, and says on which it is. */
function watchButton(instrument, scope) {
  const button = h("button", { onclick: () => attempt(async () => show(await listIt(instrument))) });
  const show = (list) => {
    button.setAttribute("aria-pressed", String(Boolean(list)));
    button.title = list ? t("instrument.onList", { list: list.name }) : "";
    replace(button, icon(list ? "check" : "plus"), t(list ? "instrument.isWatched" : "instrument.watch"));
  };
  show(undefined);
  // Whether it is on one is a courtesy: what it is asked for by a press is answered then.
  listWith(instrument, scope.signal).then((list) => !scope.isStopped && list && show(list), () => {});
  return button;
}

/** The first list that it is on. */
async function listWith(instrument, signal) {
  for (const list of itemsOf(await get("/watchlists", { signal }))) {
    const { entries } = await get(`/watchlists/${list.id}`, { signal });
    if (entries.some((one) => one.instrument === instrument)) return list;
  }
  return undefined;
}

/** The list that it is on from now on. */
async function listIt(instrument) {
  const list = itemsOf(await get("/watchlists"))[0] ?? (await post("/watchlists",
    { name: t("watchlist.defaultName") }));
  try {
    await post(`/watchlists/${list.id}/entries`, { instrument });
    toast(t("instrument.watched", { list: list.name }), { kind: "good" });
  } catch (error) {
    if (error.code !== "duplicate") throw error;
    toast(t("watchlist.has", { name: instrument }));
  }
  return list;
}

async function openAlert(instrument, level, onMade) {
  if (!session.user) return toast(t("alert.needsAccount"),
    { action: { label: t("action.signIn"), run: () => go("/sign-in") } });
  const { openPriceAlert } = await later(() => import("../alerts/price-alert.js"));
  if (await openPriceAlert(instrument, level)) onMade();
}
