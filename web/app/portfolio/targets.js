/**
 * How a portfolio should be divided, how far it is from that, the trades that would restore it, and what trades
 * would change before anybody makes them.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import * as format from "../format.js";
import * as decimal from "../decimal.js";
import { get, itemsOf, post, put } from "../api.js";
import { field, form, refuse } from "../forms.js";
import { icon } from "../icons.js";
import { toast } from "../toast.js";
import { parseQuick } from "./quick-entry.js";
import { usualWallet } from "./wallets.js";

const way = (text) => ["down", "", "up"][decimal.sign(text ?? "") + 1];
const percent = (share) => decimal.trim(decimal.multiply(share, "100"));

/** Shows it in an element. */
export async function showTargets(root, portfolio, scope) {
  const path = `/portfolios/${portfolio.id}`;
  const [plan, valuation] = await Promise.all([get(`${path}/targets`, { signal: scope.signal }),
    get(`${path}/valuation`, { signal: scope.signal }).catch(() => null)]);
  const state = h("div", { class: "stack" });
  const wanted = h("div");
  const held = (valuation?.positions ?? []).map(({ asset }) => asset);
  const draw = (answer) => {
    replace(wanted, editor(answer.targets, held, async (targets) => {
      draw(await put(`${path}/targets`, { targets }));
      toast(t("settings.kept"), { kind: "good" });
    }));
    replace(state, drifts(answer, valuation, portfolio));
  };
  draw(plan);
  replace(root, h("section", { class: "panel stack" }, h("h2", {}, t("plan.targets")),
    h("p", { class: "muted" }, t("plan.about")), wanted), state, whatIf(path, portfolio));
}

/** A row of asset and share for each target, and how much is not divided yet. */
function editor(targets, held, run) {
  const rows = h("div", { class: "stack", role: "group", "aria-label": t("plan.targets") });
  const rest = h("p", { class: "num", role: "status" });
  let count = 0;
  const values = () => [...rows.children].map((row) => {
    const [asset, share] = row.querySelectorAll("input");
    return { asset: asset.value.trim().toUpperCase(), share: format.plain(share.value), input: share };
  }).filter(({ asset, share }) => asset || share);
  const sum = () => values().reduce((total, { share }) => decimal.add(total, share) ?? total, "0");
  const say = () => {
    const left = decimal.subtract("100", sum());
    replace(rest, decimal.sign(left) < 0
      ? t("plan.tooMuch", { percent: format.portion(decimal.trim(left.replace("-", ""))) })
      : t("plan.rest", { percent: format.portion(decimal.trim(left)) }));
    rest.dataset.way = decimal.sign(left) < 0 ? "down" : "";
  };
  const add = (asset = "", share = "") => {
    count += 1;
    const row = h("div", { class: "target-row" },
      field(t("transaction.field.asset"), { name: `asset-${count}`, value: asset, autocomplete: "off", placeholder: "BTC",
        list: "held-assets", oninput: say }),
      field(t("plan.share"), { name: `share-${count}`, value: share, isDecimal: true, oninput: say }),
      h("button", { type: "button", class: "quiet icon-only", "aria-label": t("action.delete"),
        onclick: () => (row.remove(), say()) }, icon("cross")));
    rows.append(row);
    return row;
  };
  if (targets.length) targets.forEach(({ asset, share }) => add(asset, percent(share)));
  else (held.length ? held : [""]).forEach((asset) => add(asset));
  say();
  return form({
    fields: [h("datalist", { id: "held-assets" }, held.map((asset) => h("option", { value: asset }))), rows, rest],
    submit: t("action.save"),
    extra: h("button", { type: "button", onclick: () => add().querySelector("input").focus() }, t("plan.add")),
    run: async () => {
      const chosen = values().filter(({ asset, share }) => asset && share);
      const wrong = chosen.find(({ share }) => decimal.sign(share) !== 1);
      if (wrong) return refuse(wrong.input, t("plan.shareHint"));
      await run(chosen.map(({ asset, share }) => ({ asset, share: decimal.trim(decimal.divide(share, "100", 8)) })));
    },
  });
}

/** How far each asset is from its share: by the server, or while it lacks prices by those that are shown. */
function drifts({ targets, rebalancing, missing_prices: missing = [] }, valuation, portfolio) {
  if (!targets.length) return [];
  const rows = rebalancing?.drifts ?? ownDrifts(targets, valuation, portfolio.base);
  const bar = (share, name) => h("span", { class: `share-bar ${name}`,
    style: { "--share": `${Math.min(100, decimal.approximate(share) * 100).toFixed(1)}%` } });
  return [h("section", { class: "panel flush" }, h("div", { class: "panel-head" }, h("h2", {}, t("plan.drift"))),
    rows.length ? h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("plan.drift") },
      h("table", { class: "rows num" }, h("thead", {}, h("tr", {}, ["asset", "now", "target", "drift"].map((name) =>
        h("th", { scope: "col" }, t(`plan.head.${name}`))))),
      h("tbody", {}, rows.map((one) => h("tr", {}, h("th", { scope: "row" }, one.asset, bar(one.share, "")),
        h("td", {}, format.share(one.share)),
        h("td", {}, format.share(one.target)),
        h("td", { dataset: { way: way(one.drift) } }, format.ratio(one.drift, 1)))))))
      : h("p", { class: "muted padded" }, t("portfolio.missing", { assets: missing.join(", ") }))),
  h("section", { class: "panel flush" }, h("div", { class: "panel-head" }, h("h2", {}, t("plan.trades"))),
    trades(rebalancing, missing, portfolio))];
}

/** What the targets leave of the whole is wanted in the base currency. */
function ownDrifts(targets, valuation, base) {
  const whole = valuation?.value;
  if (!whole || decimal.sign(whole) !== 1) return [];
  const wanted = new Map(targets.map(({ asset, share }) => [asset, share]));
  const rest = targets.reduce((left, { asset, share }) => (asset === base ? left : decimal.subtract(left, share)), "1");
  wanted.set(base, rest);
  const now = new Map(valuation.positions.map(({ asset, value }) => [asset, decimal.divide(value ?? "0", whole, 6)]));
  return [...new Set([...wanted.keys(), ...now.keys()])].map((asset) => {
    const [share, target] = [now.get(asset) ?? "0", wanted.get(asset) ?? "0"];
    return { asset, share, target, drift: decimal.subtract(share, target) };
  });
}

function trades(rebalancing, missing, portfolio) {
  if (!rebalancing) return h("p", { class: "muted padded" }, t("portfolio.missing", { assets: missing.join(", ") }));
  if (!rebalancing.trades.length) return h("p", { class: "good padded" }, t("plan.balanced"));
  return h("ul", { class: "plain padded num" }, rebalancing.trades.map((one) => h("li", {},
    h("b", {}, t(`transaction.kind.${one.side}`)), ` ${format.amount(one.amount)} ${one.asset} · `,
    h("span", { class: "muted" }, format.money(one.value, portfolio.base)))));
}

/** Transactions in one line each, tried on the ledger without being kept. */
function whatIf(path, portfolio) {
  const result = h("div", { "aria-live": "polite" });
  const element = form({
    fields: field(t("plan.ifLines"), { name: "lines", rows: 3, dir: "ltr", spellcheck: "false", required: true,
      hint: t("plan.ifHint"), placeholder: "sell 0.1 BTC 6000 USD" }),
    submit: t("plan.try"),
    run: async ({ lines }) => {
      const transactions = [];
      const wallet = await usualWallet(portfolio);
      for (const [index, line] of lines.split("\n").map((one) => one.trim()).filter(Boolean).entries()) {
        const { body, fault } = parseQuick(line);
        if (fault) return refuse(element.elements.lines, `${index + 1}: ${t(`transaction.fault.${fault}`)}`);
        transactions.push({ wallet, ...body });
      }
      replace(result, outcome(await post(`${path}/what-if`, { transactions }), portfolio));
    },
  });
  return h("section", { class: "panel stack" }, h("h2", {}, t("plan.if")),
    h("p", { class: "muted" }, t("plan.ifAbout")), element, result);
}

function outcome(answer, portfolio) {
  const fact = (name, value, mark) => h("div", {}, h("dt", {}, name),
    h("dd", { class: "num", dataset: { way: mark } }, value));
  return h("div", { class: "stack" }, h("dl", { class: "facts" },
    fact(t("report.realized"), format.money(answer.realized ?? "", portfolio.base), way(answer.realized)),
    itemsOf(answer.balances ?? []).map((one) => fact(`${one.asset} · ${one.wallet}`, format.amount(one.amount), ""))),
  answer.disposals?.length > 0 && h("ul", { class: "plain num" }, answer.disposals.map((one) => h("li", {},
    `${format.amount(one.amount)} ${one.asset}: ${format.money(one.proceeds ?? "", null, portfolio.base)} − `,
    `${format.money(one.cost_basis ?? "", null, portfolio.base)} = `,
    h("span", { dataset: { way: way(one.gain) } }, format.money(one.gain ?? "", null, portfolio.base))))));
}
