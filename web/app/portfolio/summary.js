/**
 * What a portfolio is worth, how it is divided, how it did, and what is held.
 * @module
 */
import { h, replace, setText } from "../dom.js";
import { t, tOr } from "../i18n.js";
import * as format from "../format.js";
import * as decimal from "../decimal.js";
import { get, itemsOf } from "../api.js";
import { recall } from "../last-known.js";
import { coinIcon } from "../coin-icon.js";
import { emptyState } from "../quote-table.js";
import { flash } from "../quote-row.js";
import { Costs } from "./costs.js";
import { donut, legend } from "./donut.js";
import { lineChart } from "./line-chart.js";

const ranges = ["1D", "1W", "1M", "3M", "6M", "1Y", "ALL"];

/** Shows it in an element. */
export async function showSummary(root, portfolio, scope) {
  const path = `/portfolios/${portfolio.id}`;
  const [valued, costed] = await Promise.allSettled([
    recall(`${path}/valuation`, { signal: scope.signal }),
    get(`${path}/holdings`, { signal: scope.signal }),
  ]);
  // One of them is enough to show; without both nobody knows whether there is something.
  if (valued.reason && costed.reason) throw valued.reason;
  const valuation = valued.value?.data;
  const holdings = itemsOf(costed.value);
  if (!holdings.length && !valuation?.positions?.length) {
    return replace(root, emptyState(t("portfolio.emptyTitle"), t("portfolio.empty"),
      h("a", { class: "button primary", href: `/#/portfolio/${portfolio.id}/transactions` },
        t("transaction.new")),
      h("a", { class: "button", href: `/#/portfolio/${portfolio.id}/import` }, t("import.title"))));
  }
  const value = h("p", { class: "big-price num" });
  const note = h("p", { class: "muted" });
  const debts = h("p", { class: "banner", role: "status", hidden: true });
  const facts = h("div");
  const rows = h("tbody");
  const ring = h("div", { class: "split" });
  const costs = new Costs(path, scope.signal);
  // The list of portfolios was read before the holdings were asked for.
  if (costed.value) costs.take(costed.value, portfolio.change);
  let [told, last] = [];
  const tell = (now) => {
    told = now;
    const known = now.value ?? now.known_value;
    value.title = exactly(known, now.base) ?? "";
    if (setText(value, format.money(known, now.base)) && last) flash(value, decimal.compare(known, last));
    last = known;
    setText(note, [now.missing?.length && t("portfolio.missing", { assets: now.missing.join(", ") }),
      now.stale?.length && t("portfolio.staleAssets", { assets: now.stale.join(", ") }),
      t("portfolio.asOf", { time: format.when(now.time, "time") })].filter(Boolean).join(" "));
    const owed = (now.positions ?? []).filter(({ amount }) => decimal.sign(amount) < 0);
    debts.hidden = !owed.length;
    setText(debts, owed.length ? t("portfolio.debt", { assets: owed.map(({ amount, asset }) =>
      `${format.amount(amount)}\u00a0${asset}`).join(", ") }) : "");
    replace(facts, ...figures(now, costs));
    replace(rows, positions(now, costs));
    replace(ring, ...divided(now));
  };
  const hear = async (now) => {
    const isCosted = costs.follow(now);
    tell(now);
    if (await isCosted) tell(told);
  };
  const performance = h("section", { class: "panel" });
  replace(root, h("div", { class: "portfolio-grid" },
    h("section", { class: "panel" }, h("div", { class: "panel-head" }, h("h2", {}, t("portfolio.value"))),
      value, note, debts, facts),
    h("section", { class: "panel" }, h("div", { class: "panel-head" }, h("h2", {},
      t("portfolio.allocation"))),
      ring),
    performance),
  h("section", { class: "panel flush" }, h("div", { class: "panel-head" },
    h("h2", {}, t("portfolio.holdings"))), holdingsTable(rows)));
  scope.run(() => hear(valuation
    ?? { positions: holdings, base: portfolio.base, time: new Date().toISOString() }));
  scope.subscribe("portfolio", portfolio.id, ({ data }) => data && hear(data));
  await showPerformance(performance, portfolio, scope, "1M");
}

/**
 * How the whole is divided by the prices of the rows below; without every price nobody knows. The ring is of what is
 * held; the shares are of the whole, so that they sum to all of it also where something is owed, as those of the plan.
 */
function divided({ value: whole, positions = [], base }) {
  const some = positions.filter(({ value }) => value && decimal.sign(value) !== 0)
    .sort((a, b) => decimal.compare(b.value, a.value));
  const held = some.filter(({ value }) => decimal.sign(value) === 1);
  if (!whole || !held.length) return [h("p", { class: "muted" }, t("portfolio.noWhole"))];
  const all = held.reduce((sum, { value }) => decimal.add(sum, value), "0");
  const isWhole = decimal.sign(whole) === 1;
  const parts = some.map(({ asset, value }) => ({ name: asset, value: format.money(value, null, base),
    share: decimal.sign(value) === 1 ? decimal.divide(value, all, 6) : "0",
    text: isWhole ? format.share(decimal.divide(value, whole, 6)) : "–" }));
  return [donut(parts), legend(parts)];
}

/**
 * What the value is the sum of, and what the coins cost and gained, by the prices of the rows below; no gain while one
 * of them has no price. What is shown adds up to the last digit; each title has every digit there is.
 */
function figures(now, costs) {
  // Of amounts that are newer than the costs nothing is summed: what has no cost would count as money.
  if ((now.positions ?? []).some((one) => !costs.get(one) && !("cost_basis" in one))) return [];
  const held = (now.positions ?? []).map((one) => ({
    cost: costs.get(one)?.cost_basis ?? one.cost_basis, value: one.value,
    isAssumed: costs.get(one)?.isAssumed,
  })).filter(({ cost }) => cost);
  if (!held.length) return [];
  const sum = (figure) => held.reduce((total, one) => decimal.add(total, figure(one)), "0");
  const shown = (text) => decimal.round(text, format.moneyPlaces(now.base));
  const less = (all, part) => all && part && { exact: decimal.subtract(all, part),
    text: decimal.subtract(shown(all), shown(part)) };
  const cost = sum((one) => one.cost);
  const worth = held.every(({ value }) => value) ? sum(({ value }) => value) : null;
  const [gain, rest] = [less(worth, cost), less(now.value, worth)];
  const tag = held.some((one) => one.isAssumed) && assumed();
  const money = (text, exact = text) =>
    h("span", { title: exactly(exact, now.base) }, format.money(text ?? "", now.base));
  return [h("dl", { class: "facts" },
    fact(t("portfolio.coins"), money(worth)), fact(t("portfolio.money"), money(rest?.text, rest?.exact)),
    fact(t("portfolio.cost"), [money(cost), tag]),
    fact(t("portfolio.unrealized"), money(gain?.text, gain?.exact), gain?.text)),
  h("p", { class: "muted" }, t("portfolio.sums"))];
}

/** Every digit of a sum that is shown with fewer, for a title. */
const exactly = (text, currency) => {
  const amount = format.exact(text, currency);
  return amount && t("portfolio.exactly", { amount });
};

/** Says that a cost is none that its owner stated. */
const assumed = () => h("span", { class: "tag", title: t("portfolio.assumedAbout") }, t("report.assumed"));

function fact(name, value, way) {
  return h("div", {}, h("dt", {}, name), h("dd", { class: "num", "data-way": way
    ? ["down", "", "up"][decimal.sign(way) + 1] : null }, value));
}

/** The table of what is held; its rows come and go, the place where a reader is in it stays. */
function holdingsTable(rows) {
  const heads = ["asset", "amount", "price", "value", "cost", "gain"];
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("portfolio.holdings") },
    h("table", { class: "rows num cards" },
    h("thead", {}, h("tr", {}, heads.map((name) => h("th", { scope: "col" }, t(`portfolio.head.${name}`))))),
    rows));
}

function positions(now, costs) {
  const cell = (name, text, exact, way) => h("td", { "data-head": t(`portfolio.head.${name}`), "data-way": way,
    title: exactly(exact, now.base) }, text);
  const money = (text) => format.money(text ?? "", null, now.base);
  return (now.positions ?? []).map((one) => {
    const cost = costs.get(one)?.cost_basis ?? one.cost_basis;
    const gain = cost && one.value ? decimal.subtract(one.value, cost) : null;
    const share = gain && decimal.sign(cost) > 0 ? decimal.divide(gain, cost, 6) : null;
    return h("tr", {}, h("th", { scope: "row" }, coinIcon(one.asset), one.asset,
      one.stale && h("span", { class: "tag", title: String(one.stale) }, t("portfolio.old")),
      one.origin && one.origin !== "proven" && h("span", { class: "tag", title: one.source ?? "" },
        tOr(`quotes.origin.${one.origin}`, one.origin))),
      cell("amount", format.amount(one.amount)),
      cell("price", one.price ? format.unitPrice(one.price, now.base) : t("portfolio.noPrice"), one.price),
      cell("value", money(one.value), one.value),
      cell("cost", [money(cost), costs.get(one)?.isAssumed && assumed()], cost),
      cell("gain", gain ? `${money(gain)} (${share ? format.ratio(share) : "–"})` : "–", gain,
        gain ? ["down", "", "up"][decimal.sign(gain) + 1] : null));
  });
}

async function showPerformance(root, portfolio, scope, range) {
  const buttons = ranges.map((name) => h("button", { "aria-pressed": String(name === range),
    onclick: () => showPerformance(root, portfolio, scope, name) }, t(`portfolio.range.${name}`)));
  const content = h("div");
  replace(root, h("div", { class: "panel-head" }, h("h2", {}, t("portfolio.performance")),
    h("div", { class: "segmented", role: "group", "aria-label": t("chart.range") }, buttons)), content);
  try {
    const path = `/portfolios/${portfolio.id}`;
    const [did, past] = await Promise.all([get(`${path}/performance?range=${range}`,
      { signal: scope.signal }),
      get(`${path}/history?range=${range}`, { signal: scope.signal }).then(itemsOf).catch(() => [])]);
    const figure = did.performance ?? did;
    const points = past.filter(({ value }) => value).map(({ day, value }) => ({ time: day, value }));
    const shown = [["twr", figure.twr], ["xirr", figure.xirr], ["drawdown", figure.max_drawdown],
      ["volatility", figure.volatility]];
    replace(content, points.length > 1 ? lineChart(points, t("portfolio.performance"), portfolio.base)
      : h("p", { class: "muted" }, t("portfolio.noHistory")),
      h("dl", { class: "facts" }, fact(t("portfolio.profit"), format.money(figure.profit ?? "",
        portfolio.base), figure.profit),
        shown.map(([name, value]) => fact(t(`portfolio.${name}`),
          value ? (name === "volatility" ? format.share(value, 2) : format.ratio(value)) : "–",
          name === "twr" || name === "xirr" ? value : null))));
  } catch (error) {
    if (error.name !== "AbortError") replace(content, h("p", { class: "muted" }, t("portfolio.noHistory")));
  }
}
