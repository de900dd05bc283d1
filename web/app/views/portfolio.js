/**
 * Portfolios: choose one, and one of its sections.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { itemsOf } from "../api.js";
import { recall } from "../last-known.js";
import { repeatable } from "../repeatable.js";
import { session } from "../session.js";
import { sections } from "../sections.js";
import { go } from "../navigation.js";
import { openDialog } from "../dialog.js";
import { field, form } from "../forms.js";
import { emptyState } from "../quote-table.js";
import { sampleButton } from "../sample.js";
import { staleBanner } from "../stale-banner.js";

const parts = {
  summary: async (...all) => (await import("../portfolio/summary.js")).showSummary(...all),
  transactions: async (...all) => (await import("../portfolio/transactions.js")).showTransactions(...all),
  plan: async (...all) => (await import("../portfolio/targets.js")).showTargets(...all),
  lots: async (...all) => (await import("../portfolio/reports.js")).showLots(...all),
  reports: async (...all) => (await import("../portfolio/reports.js")).showReports(...all),
  import: async (...all) => (await import("../portfolio/import.js")).showImport(...all),
  share: async (...all) => (await import("../portfolio/reports.js")).showShares(...all),
};

/** Shows it. */
export async function show(root, { parts: [id, section = "summary"], scope }) {
  const portfolios = itemsOf((await recall("/portfolios", { signal: scope.signal })).data);
  const portfolio = portfolios.find((one) => one.id === id) ?? portfolios[0];
  if (!portfolio) {
    replace(root, h("div", { class: "view-head" }, h("h1", {}, t("portfolio.title"))),
      emptyState(t("portfolio.firstTitle"), t("portfolio.first"),
      h("button", { class: "primary", onclick: make }, t("portfolio.make")), sampleButton()));
    return t("portfolio.title");
  }
  const content = h("div", { class: "stack" });
  const choose = portfolios.length > 1 && h("select", { "aria-label": t("portfolio.choose"),
    onchange: (event) => go(`/portfolio/${event.target.value}`) },
    portfolios.map((one) => h("option", { value: one.id, selected: one === portfolio }, one.name)));
  replace(root, h("div", { class: "view-head" }, h("h1", {}, portfolio.name), choose,
    sections(`/portfolio/${portfolio.id}`, Object.keys(parts), section,
      (name) => t(`portfolio.section.${name}`)),
    h("div", { class: "row end" }, h("button", { onclick: make }, icon("plus"), t("portfolio.make")))),
      staleBanner(scope), content);
  await (parts[section] ?? parts.summary)(content, portfolio, scope);
  return portfolio.name;
}

async function make() {
  const send = repeatable();
  const made = await openDialog(t("portfolio.make"), (close) => form({
    fields: [field(t("portfolio.name"), { name: "name", required: true, maxlength: 60 }),
      field(t("settings.currency"), { name: "base", value: session.settings.base_currency ?? "USD",
        required: true, maxlength: 5 })],
    submit: t("portfolio.make"),
    run: async ({ name, base }) => close(await send("/portfolios", { name, base: base.toUpperCase() })),
  }));
  if (made) go(`/portfolio/${made.id}`);
}
