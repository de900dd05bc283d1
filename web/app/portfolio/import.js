/**
 * Import of a file: choose it, say what its columns are where nobody knows them, look at what it would add, then
 * add it.
 * @module
 */
import { foreign, h, replace } from "../dom.js";
import { t, tOr } from "../i18n.js";
import * as format from "../format.js";
import { itemsOf, post, randomKey } from "../api.js";
import { recall } from "../last-known.js";
import { explained } from "../problems.js";
import { field, form, refuse } from "../forms.js";
import { MappingTable, withCommas } from "./mapping.js";

/** What one request may carry, in bytes. */
const most = 1 << 20;

/** Shows it in an element. */
export async function showImport(root, portfolio, scope) {
  const { data } = await recall("/import-formats", { signal: scope.signal });
  const importer = new Importer(portfolio, itemsOf(data));
  replace(root, importer.element);
}

class Importer {
  #file = null;
  #text = "";
  #mapping = null;
  #result = h("div", { class: "stack", "aria-live": "polite" });
  #place = h("div");

  constructor(portfolio, formats) {
    this.portfolio = portfolio;
    this.formats = new Map(formats.map((one) => [one.format, one]));
    const name = h("p", { class: "field-about", role: "status" }, t("import.dropHint"));
    const input = h("input", { type: "file", accept: ".csv,.tsv,.txt,.json,text/csv,application/json",
      id: "import-file", onchange: () => take(input.files[0]) });
    const take = async (file) => {
      this.#file = file ?? null;
      replace(name, file ? t("import.chosen", { name: file.name, size: format.count(Math.ceil(file.size / 1024)) })
        : t("import.dropHint"));
      this.#result.replaceChildren();
      await this.#remap();
    };
    const drop = h("div", { class: "field drop",
      ondragover: (event) => (event.preventDefault(), drop.classList.add("over")),
      ondragleave: () => drop.classList.remove("over"),
      ondrop: (event) => {
        event.preventDefault();
        drop.classList.remove("over");
        take(event.dataTransfer.files[0]);
      } }, h("label", { for: "import-file" }, t("import.file")), input, name);
    this.form = form({
      fields: [
        field(t("import.format"), { name: "format", onchange: () => this.#remap(),
          options: formats.map((one) => [one.format, tOr(`import.format.${one.format}`, one.title)]) }),
        drop,
        field(t("import.text"), { name: "text", rows: 5, dir: "ltr", spellcheck: "false", hint: t("import.textHint"),
          onchange: () => this.#remap() }),
        this.#place,
      ],
      submit: t("import.preview"),
      run: () => this.#preview(),
    });
    this.element = h("div", { class: "stack" }, h("section", { class: "panel stack" }, h("h2", {}, t("import.title")),
      h("p", { class: "muted" }, t("import.about")), this.form), this.#result);
  }

  /** A table of any form is shown, with a guess of what its columns are. */
  async #remap() {
    this.#mapping = null;
    this.#place.replaceChildren();
    if (!this.#needsMapping) return;
    this.#text = await this.#read();
    if (!this.#text) return replace(this.#place, h("p", { class: "muted" }, t("import.mappingFirst")));
    this.#mapping = new MappingTable(this.#text);
    replace(this.#place, this.#mapping.element);
  }

  get #needsMapping() {
    return this.formats.get(this.form.elements.format.value)?.needs_mapping;
  }

  async #read() {
    return this.#file ? await this.#file.text() : this.form.elements.text.value;
  }

  async #preview() {
    const { elements } = this.form;
    this.#text = await this.#read();
    if (!this.#text.trim()) return refuse(elements.text, t("import.nothing"));
    const body = { format: elements.format.value, text: this.#text,
      ...(this.#file ? { source: this.#file.name.slice(0, 120) } : {}) };
    if (this.#needsMapping) {
      if (!this.#mapping) await this.#remap();
      const { missing } = this.#mapping;
      if (missing.length) {
        const names = missing.map((own) => t(`import.column.${own}`)).join(", ");
        return refuse(elements.format, t("import.missingColumns", { names }));
      }
      body.text = withCommas(this.#text);
      body.mapping = this.#mapping.json;
      if (elements.wallet.value) body.wallet = elements.wallet.value;
      if (elements.zone.value) body.zone = elements.zone.value;
    }
    const size = new Blob([JSON.stringify(body)]).size;
    if (size > most) return refuse(elements.text, t("import.tooLarge", { size: format.count(Math.ceil(size / 1024)) }));
    replace(this.#result, working(t("import.reading")));
    try {
      const preview = await post(`/portfolios/${this.portfolio.id}/import/preview`, body);
      replace(this.#result, report(preview), this.#commit(body, preview));
    } catch (error) {
      replace(this.#result);
      throw error;
    }
  }

  #commit(body, preview) {
    if (!preview.added) return null;
    // The same key for every try: what was added once is not added again.
    const key = randomKey();
    const message = h("p", { class: "form-error", role: "alert" });
    const busy = h("div");
    const button = h("button", { class: "primary", onclick: async () => {
      button.disabled = true;
      replace(message);
      replace(busy, working(t("import.adding", { n: preview.added })));
      try {
        const done = await post(`/portfolios/${this.portfolio.id}/import`, body, { key });
        replace(this.#result, h("section", { class: "panel stack" },
          h("p", { class: "good", role: "status" }, t("import.done", { n: done.added })),
          skippedLines(done.skipped ?? []),
          h("a", { class: "button primary", href: `/#/portfolio/${this.portfolio.id}` }, t("portfolio.show"))));
      } catch (error) {
        busy.replaceChildren();
        button.disabled = false;
        replace(message, explained(error));
      }
    } }, t("import.add", { n: preview.added }));
    return h("div", { class: "stack" }, h("div", { class: "row" }, button), busy, message);
  }
}

const working = (text) => h("div", { class: "stack" }, h("p", { role: "status" }, text),
  h("progress", { "aria-label": text }));

/** What would be added, and each line that would not, with its reason. */
function report(preview) {
  const facts = [["rows", preview.rows], ["added", preview.added], ["skipped", preview.skipped.length]];
  return h("section", { class: "panel stack" }, h("h2", {}, t("import.result")),
    h("dl", { class: "facts" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, t(`import.${name}`)),
      h("dd", { class: "num" }, format.count(value))))),
    !preview.added && h("p", {}, t("import.nothingNew")),
    skippedLines(preview.skipped));
}

function skippedLines(skipped) {
  const shown = skipped.slice(0, 200);
  return skipped.length > 0 && h("details", { open: skipped.length <= 20 },
    h("summary", {}, t("import.skippedLines", { n: skipped.length })),
    h("ul", { class: "plain skipped" }, shown.map(({ line, reason }) => h("li", {},
      h("b", { class: "num" }, t("import.line", { n: line })), " ",
      foreign(reason)))),
    skipped.length > shown.length && h("p", { class: "muted" }, t("import.more", { n: skipped.length - shown.length })));
}
