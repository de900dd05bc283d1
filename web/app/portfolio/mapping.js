/**
 * Which column of a table is which of ours: guessed by its name, shown with its first rows, and changed by hand.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { field } from "../forms.js";
import { transactionKinds } from "./transaction-fields.js";

/** Our columns, those that a row cannot be without first. */
const ours = ["time", "kind", "asset", "amount", "wallet", "to_wallet", "counter_asset", "counter_amount",
  "fee_asset", "fee_amount", "external_id", "note"];
const needed = ["time", "kind", "asset", "amount"];
const rowsShown = 5;

/** Words by which columns are known, whatever their language's signs are. */
const hints = {
  time: /^(time|date|datetime|timestamp|utc.?time|datum|zeit|fecha|日時|日付)/i,
  kind: /^(kind|type|operation|side|art|typ|tipo|種類|取引)/i,
  counter_amount: /^(counter.?amount|total|cost|subtotal|received.?amount|quote.?amount|value)/i,
  counter_asset: /^(counter.?(asset|currency)|quote|received.?currency|price.?currency|spot.?currency)/i,
  fee_amount: /^(fee|commission|gebühr|comisión|手数料)(.?amount)?$/i,
  fee_asset: /^(fee|commission).?(asset|currency|coin)/i,
  amount: /^(amount|quantity|qty|volume|sent.?amount|size|menge|anzahl|cantidad|数量)/i,
  asset: /^(asset|coin|currency|symbol|sent.?currency|token|währung|moneda|通貨)/i,
  to_wallet: /^(to.?wallet|to|destination)/i,
  wallet: /^(wallet|account|from|exchange|konto|cuenta)/i,
  external_id: /^(external.?id|id|tx.?id|transaction.?id|hash|order)/i,
  note: /^(note|notes|comment|description|label|bemerkung|nota|メモ)/i,
};

/** What parts the fields of a table: whichever its first line has most of. */
function markOf(text) {
  const head = text.slice(0, 4_000).split(/\r?\n/)[0];
  return [",", ";", "\t"].map((sign) => [head.split(sign).length, sign]).sort((a, b) => b[0] - a[0])[0][1];
}

/** The same table with commas, which is what the server reads. */
export function withCommas(text) {
  if (markOf(text) === ",") return text;
  const quoted = (cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll("\"", "\"\"")}"` : cell);
  return readTable(text, Infinity).map((row) => row.map(quoted).join(",")).join("\n");
}

/** The rows of a table: fields by commas, semicolons or tabs, with quotes (RFC 4180); at most so many. */
export function readTable(text, most = 20_000) {
  const mark = markOf(text);
  const rows = [];
  let [row, cell, isQuoted] = [[], "", false];
  const plain = text.replace(/^\uFEFF/, "");
  for (let index = 0; index < plain.length && rows.length < most; index += 1) {
    const sign = plain[index];
    if (isQuoted) {
      if (sign !== "\"") cell += sign;
      else if (plain[index + 1] === "\"") cell += plain[(index += 1)];
      else isQuoted = false;
    } else if (sign === "\"") {
      isQuoted = true;
    } else if (sign === mark || sign === "\n") {
      row.push(cell.replace(/\r$/, ""));
      cell = "";
      if (sign === "\n" && row.some(Boolean)) rows.push(row);
      if (sign === "\n") row = [];
    } else {
      cell += sign;
    }
  }
  if (rows.length < most && (cell || row.length)) rows.push([...row, cell.replace(/\r$/, "")]);
  return rows;
}

/** Our column for each of the table's, as far as names tell; each once. */
export function guess(header) {
  const taken = new Set();
  return header.map((name) => {
    const found = Object.keys(hints).find((own) => !taken.has(own) && (own === name || hints[own].test(name.trim())));
    if (found) taken.add(found);
    return found ?? "";
  });
}

/** Asks which column is which, beside the first rows of the table. */
export class MappingTable {
  #kinds = h("div");

  /** @param {string} text of the file */
  constructor(text) {
    const [header = [], ...rows] = readTable(text);
    this.header = header;
    const guesses = guess(header);
    const options = [["", t("import.ignored")], ...ours.map((own) => [own, t(`import.column.${own}`)])];
    this.choices = header.map((name, index) => h("select", { class: "small", value: guesses[index],
      "aria-label": t("import.columnOf", { name }), onchange: () => this.#askKinds(rows) }, options.map(([value, label]) =>
      h("option", { value, selected: value === guesses[index] }, label))));
    this.element = h("div", { class: "stack" }, h("p", { class: "muted" }, t("import.mappingAbout")),
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("import.mapping") },
        h("table", { class: "rows mapping" },
          h("thead", {}, h("tr", {}, header.map((name) => h("th", { scope: "col" }, name))),
            h("tr", {}, this.choices.map((choice) => h("td", {}, choice)))),
          h("tbody", {}, rows.slice(0, rowsShown).map((row) => h("tr", {}, header.map((_, index) => h("td", {}, row[index] ?? ""))))))),
      h("div", { class: "field-grid" },
        field(t("import.wallet"), { name: "wallet", value: "main", hint: t("import.walletHint") }),
        field(t("import.zone"), { name: "zone", placeholder: "+01:00", hint: t("import.zoneHint") })),
      this.#kinds);
    this.#askKinds(rows);
  }

  /** Words of the table that are none of our kinds can be told to be one. */
  #askKinds(rows) {
    const place = this.choices.findIndex(({ value }) => value === "kind");
    const foreign = [...new Set(rows.map((row) => row[place]))]
      .filter((word) => place >= 0 && word && !transactionKinds.includes(word)).slice(0, 40);
    this.words = foreign.map((word) => {
      const own = transactionKinds.find((kind) => kind === word.toLowerCase().trim()) ?? "";
      return [word, h("select", { class: "small", "aria-label": t("import.kindOf", { name: word }) },
        [["", "–"], ["skip", t("import.skip")], ...transactionKinds.map((kind) => [kind, t(`transaction.kind.${kind}`)])]
          .map(([value, label]) => h("option", { value, selected: value === own }, label)))];
    });
    replace(this.#kinds, foreign.length > 0 && h("fieldset", {}, h("legend", {}, t("import.kinds")),
      this.words.map(([word, choice]) => h("p", { class: "row wrap" }, h("code", {}, word), " → ", choice))));
  }

  /** The columns that no row can be without and that are not chosen yet. */
  get missing() {
    const chosen = new Set(this.choices.map(({ value }) => value));
    return needed.filter((own) => !chosen.has(own));
  }

  /** As the API takes it. */
  get json() {
    const columns = this.header.map((name, index) => [name, this.choices[index].value]).filter(([, own]) => own);
    const kinds = this.words.map(([word, choice]) => [word, choice.value]).filter(([, own]) => own);
    return { columns: Object.fromEntries(columns), ...(kinds.length ? { kinds: Object.fromEntries(kinds) } : {}) };
  }
}
