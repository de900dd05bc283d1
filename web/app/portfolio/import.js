/**
 * Import of a file: choose, look at what it would add, then add it.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import * as format from "../format.js";
import { explain, post, randomKey } from "../api.js";
import { field, form } from "../forms.js";

const formats = ["csv", "json", "coinbase", "binance", "kraken", "bitmex", "bitstamp", "cointracking",
  "koinly", "mapped"];

/** Shows it in an element. */
export async function showImport(root, portfolio) {
  const result = h("div", { class: "stack", "aria-live": "polite" });
  let file = null;
  const drop = h("input", { type: "file", accept: ".csv,.json,text/csv,application/json", id: "import-file",
    onchange: (event) => {
      file = event.target.files[0] ?? null;
    } });
  const element = form({
    fields: [
      field(t("import.format"), { name: "format", options: formats.map((name) => [name,
        t(`import.format.${name}`)]),
        onchange: (event) => {
          mapping.hidden = event.target.value !== "mapped";
        } }),
      h("div", { class: "field" }, h("label", { for: "import-file" }, t("import.file")), drop),
      field(t("import.text"), { name: "text", rows: 6, spellcheck: "false", hint: t("import.textHint") }),
    ],
    submit: t("import.preview"),
    run: async ({ format: name, mapping: columns, text }) => {
      const progress = h("progress", { "aria-label": t("import.reading") });
      replace(result, progress);
      try {
        const body = { format: name, text: file ? await file.text() : text,
          ...(name === "mapped" ? { mapping: JSON.parse(columns) } : {}) };
        const preview = await post(`/portfolios/${portfolio.id}/import/preview`, body);
        replace(result, report(preview), commit(portfolio, body, preview, result));
      } catch (error) {
        replace(result);
        throw error;
      }
    },
  });
  const mapping = field(t("import.mapping"), { name: "mapping", rows: 4, spellcheck: "false",
    hint: t("import.mappingHint"),
    value: "{\"time\": \"Date\", \"kind\": \"Type\", \"asset\": \"Coin\", \"amount\": \"Amount\"}" });
  mapping.hidden = true;
  element.prepend(mapping);
  replace(root, h("section", { class: "panel stack" }, h("h2", {}, t("import.title")),
    h("p", { class: "muted" }, t("import.about")), element), result);
}

/** What would be added, what is there already, what cannot be read. */
function report(preview) {
  const skipped = preview.skipped ?? [];
  return h("section", { class: "panel stack" }, h("h2", {}, t("import.result")),
    h("dl", { class: "facts" }, [["rows", preview.rows], ["duplicates",
      preview.duplicates?.length ?? preview.duplicates], ["skipped", skipped.length],
      ...Object.entries(preview.kinds ?? {}).map(([kind, count]) => [`kind:${kind}`, count])]
      .filter(([, value]) => typeof value === "number").map(([name, value]) => h("div", {},
        h("dt", {}, name.startsWith("kind:") ? t(`transaction.kind.${name.slice(5)}`) : t(`import.${name}`)),
          h("dd", { class: "num" }, format.count(value))))),
    preview.balances?.length > 0 && h("ul", { class: "plain" }, preview.balances.map((one) => h("li",
      { class: "num" }, `${one.wallet}: ${format.amount(one.amount)} ${one.asset}`))),
    skipped.length > 0 && h("details", { open: true }, h("summary", {},
      t("import.skippedLines", { n: skipped.length })),
      h("ul", { class: "plain" }, skipped.slice(0, 50).map(({ line, reason }) => h("li", {},
        h("b", { class: "num" }, String(line)), " ", reason)))));
}

function commit(portfolio, body, preview, result) {
  // The same key for every try: what was added once is not added again.
  const key = randomKey();
  const button = h("button", { class: "primary", onclick: async () => {
    button.disabled = true;
    const progress = h("progress", { "aria-label": t("import.adding") });
    button.after(progress);
    try {
      const done = await post(`/portfolios/${portfolio.id}/import`, body, { key });
      replace(result, h("p", { class: "good", role: "status" },
        t("import.done", { n: done.added ?? done.rows ?? 0 })),
        h("a", { class: "button primary", href: `/#/portfolio/${portfolio.id}` }, t("portfolio.show")));
    } catch (error) {
      progress.remove();
      button.disabled = false;
      button.after(h("p", { class: "form-error", role: "alert" }, explain(error)));
    }
  } }, t("import.add", { n: preview.rows ?? 0 }));
  return h("div", { class: "row" }, button);
}
