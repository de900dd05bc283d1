/**
 * Open lots and the report of a year, with files to take away; links that share the portfolio.
 * @module
 */
import { h, replace } from "../dom.js";
import { t, tOr } from "../i18n.js";
import { icon } from "../icons.js";
import * as format from "../format.js";
import * as decimal from "../decimal.js";
import { get, itemsOf, remove } from "../api.js";
import { recall } from "../last-known.js";
import { attempt, toast } from "../toast.js";
import { field, form, refuse } from "../forms.js";
import { repeatable } from "../repeatable.js";

const way = (text) => ["down", "", "up"][decimal.sign(text ?? "") + 1];

function table(label, heads, rows) {
  return rows.length ? h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    h("table", { class: "rows num" },
    h("thead", {}, h("tr", {}, heads.map((name) => h("th", { scope: "col" }, t(`report.head.${name}`))))),
      h("tbody", {}, rows)))
    : h("p", { class: "muted padded" }, t("report.none"));
}

/** Shows open lots. */
export async function showLots(root, portfolio, scope) {
  const { data: answer } = await recall(`/portfolios/${portfolio.id}/lots`, { signal: scope.signal });
  const lots = answer.lots ?? itemsOf(answer);
  replace(root, h("section", { class: "panel flush" }, h("div", { class: "panel-head" },
    h("h2", {}, t("report.lots"))),
    table(t("report.lots"), ["acquired", "wallet", "amount", "cost", "gain", "term"],
      lots.map((lot) => h("tr", {},
      h("td", {}, format.inUTC(lot.acquired, "day")), h("td", {}, lot.wallet),
        h("td", {}, `${format.amount(lot.amount)} ${lot.asset}`),
      h("td", {}, format.money(lot.cost_basis, null, portfolio.base), lot.assumed && h("span", { class: "tag" },
        t("report.assumed"))),
      h("td", { dataset: { way: way(lot.unrealized) } }, format.money(lot.unrealized ?? "", null, portfolio.base)),
        h("td", {}, t(`report.term.${lot.term ?? "short"}`)))))));
}

/** Shows a year's disposals. */
export async function showReports(root, portfolio, scope) {
  const thisYear = new Date().getUTCFullYear();
  const result = h("div");
  const files = h("div", { class: "row wrap end" });
  const file = (query, text, name) => h("a",
    { class: "button small", href: `/v1/portfolios/${portfolio.id}/${query}`, download: name }, text);
  const { data: report } = await recall(`/portfolios/${portfolio.id}/report`, { signal: scope.signal });
  const show = (chosen) => {
    const of = (list) => (list ?? []).filter(({ time }) => String(time).startsWith(chosen));
    const disposals = of(report.disposals);
    // With one that is not known the sum is not known either.
    const sum = (list, name) => list.reduce((total, one) => (total !== null && one[name]
      ? decimal.add(total, one[name]) : null), "0");
    const totals = { realized: sum(disposals, "gain"), income: sum(of(report.income), "value"),
      fees: sum(of(report.fees), "value") };
    replace(files, file("export?format=csv", t("report.ledger", { format: "CSV" }), "ledger.csv"),
      file("export?format=json", t("report.ledger", { format: "JSON" }), "ledger.json"),
      file(`report?year=${chosen}&form=generic`, t("report.file"), `disposals-${chosen}.csv`),
      // It is in dollars: of another currency the API makes none.
      report.base === "USD"
        && file(`report?year=${chosen}&form=8949`, t("report.form8949"), `8949-${chosen}.csv`));
    replace(result, h("dl", { class: "facts padded" }, Object.entries(totals).map(([name, total]) =>
      h("div", {}, h("dt", {}, t(`report.${name}`)), h("dd", { class: "num",
        dataset: { way: name === "realized" ? way(total) : "" } },
      total === null ? t("report.unknown") : format.money(total, report.base))))),
    table(t("report.title"), ["time", "amount", "proceeds", "cost", "gain"],
      disposals.map((one) => h("tr", {},
      h("td", {}, format.inUTC(one.time, "day")), h("td", {}, `${format.amount(one.amount)} ${one.asset}`),
        h("td", {}, format.money(one.proceeds ?? "", null, report.base)),
      h("td", {}, format.money(one.cost_basis ?? "", null, report.base)), h("td", { dataset: { way: way(one.gain) } },
        format.money(one.gain ?? "", null, report.base))))));
  };
  const year = h("select", { "aria-label": t("report.year"), onchange: (event) => show(event.target.value) },
    Array.from({ length: 12 }, (_, back) => h("option", { value: thisYear - back },
      String(thisYear - back))));
  replace(root, h("section", { class: "panel flush" }, h("div", { class: "panel-head" },
    h("h2", {}, t("report.title")), year,
    files), result));
  show(String(thisYear));
}

/** Copies the text of an element; where no page may do that, as without TLS, the text is selected. */
async function copy(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    toast(t("action.copied"));
  } catch {
    getSelection().selectAllChildren(element);
    toast(t("action.selected"));
  }
}

/** Shows the links that share a portfolio, and makes new ones. */
export async function showShares(root, portfolio, scope) {
  const path = `/portfolios/${portfolio.id}/shares`;
  const list = h("ul", { class: "rules" });
  const load = async () => {
    const items = itemsOf(await get(path, { signal: scope.signal }));
    replace(list, items.length ? items.map((one) => h("li", { class: "rule" },
      h("div", { class: "grow" }, h("span", { class: "tag", dataset: { state: one.state } }, tOr(`share.state.${one.state}`, one.state)), " ",
      t("share.until", { time: format.when(one.expires) })),
        one.state === "open" && h("button", { class: "small danger", onclick: () => attempt(async () => {
      await remove(`${path}/${one.id}`);
      await load();
    }) }, t("share.end")))) : h("li", { class: "muted padded" }, t("share.none")));
  };
  const link = h("div", { "aria-live": "polite" });
  const send = repeatable();
  const element = form({
    fields: field(t("share.days"), { name: "days", value: "30", inputmode: "numeric", required: true }),
    submit: t("share.make"),
    run: async ({ days }) => {
      if (!/^\d+$/.test(days)) return refuse(element.elements.days, t("problem.says.whole"));
      const made = await send(path, { days: Number(days) });
      const address = h("code", { class: "grow" }, location.origin + made.path);
      replace(link, h("p", {}, t("share.once")), h("div", { class: "row" }, address,
        h("button", { onclick: () => copy(address) }, icon("list"), t("action.copy"))));
      await load();
    },
  });
  replace(root, h("section", { class: "panel stack" }, h("h2", {}, t("share.title")),
    h("p", { class: "muted" }, t("share.about")), element, link),
    h("section", { class: "panel flush" }, list));
  await load();
}
