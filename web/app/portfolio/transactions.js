/**
 * The transactions of a portfolio, and a line to enter more of them by keyboard alone.
 * @module
 */
import { h, keepingFocus, replace } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import * as format from "../format.js";
import { get, itemsOf, put, remove } from "../api.js";
import { repeatable } from "../repeatable.js";
import { attempt, toast } from "../toast.js";
import { confirmDialog, openDialog } from "../dialog.js";
import { form } from "../forms.js";
import { fieldsOf, bodyOf } from "./transaction-fields.js";
import { parseQuick } from "./quick-entry.js";
import { makeWallets, usualWallet } from "./wallets.js";

/** Transactions of a page. */
const pageSize = 100;

/** Shows them in an element. */
export async function showTransactions(root, portfolio, scope) {
  const list = new Transactions(root, portfolio, scope, await usualWallet(portfolio));
  await list.load();
  // Another page or device may have added to it. What was asked for beyond the first page stays as it is.
  scope.listen(document, "visibilitychange", () => !document.hidden && list.isShort && attempt(() => list.load()));
}

/** An amount of a transaction with its asset; nothing where there is none. */
const pair = (one, name) => (one[`${name}_amount`]
  ? `${format.amount(one[`${name}_amount`])} ${one[`${name}_asset`]}` : "");

/** All else that a line would keep, as the table shows it. */
const restOf = (body) => [
  `${t("transaction.head.time")} ${format.inUTC(body.time)}`,
  body.fee_amount && `${t("transaction.head.fee")} ${pair(body, "fee")}`,
  body.to_wallet ? `${body.wallet} → ${body.to_wallet}` : body.wallet, body.note,
  new Date(body.time) > Date.now() && t("transaction.waits"),
].filter(Boolean).join(" · ");

/** Says that a transaction is written down and counts for nothing yet. */
const waits = () => [" ", h("span", { class: "tag", title: t("transaction.waitsAbout") }, t("transaction.waits"))];

class Transactions {
  #body = h("tbody");
  #more = h("button", { hidden: true, onclick: () => attempt(() => this.#next()) }, t("action.more"));
  #cursor = null;
  #asked = 0;

  constructor(root, portfolio, scope, wallet) {
    this.path = `/portfolios/${portfolio.id}/transactions`;
    this.scope = scope;
    this.portfolio = portfolio;
    this.wallet = wallet;
    const heads = ["time", "kind", "amount", "counter", "fee", "wallet", "note"];
    replace(root, this.#quick(),
      h("section", { class: "panel flush" }, h("div", { class: "scroll", tabindex: "0", role: "region",
        "aria-label": t("transaction.title") },
        h("table", { class: "rows cards" }, h("thead", {}, h("tr", {}, heads.map((name) => h("th", { scope: "col" },
          t(`transaction.head.${name}`))), h("td"))), this.#body))),
      this.#more);
  }

  /** Whether no more than the first page is shown. */
  get isShort() {
    return this.#body.children.length <= pageSize;
  }

  async load() {
    this.#cursor = null;
    await this.#next();
  }

  async #next() {
    const after = this.#cursor ? `&cursor=${encodeURIComponent(this.#cursor)}` : "";
    const turn = (this.#asked += 1);
    const page = await get(`${this.path}?limit=${pageSize}${after}`, { signal: this.scope.signal });
    // Asked again meanwhile, by a second press or for the list anew: that answer counts.
    if (turn !== this.#asked) return;
    this.#cursor = page.next ?? null;
    this.#more.hidden = !this.#cursor;
    const transactions = itemsOf(page);
    if (!after && transactions.length) this.wallet = transactions[0].wallet;
    keepingFocus(() => this.#body, () => {
      if (!after) this.#body.replaceChildren();
      this.#body.append(...transactions.map((one) => this.#row(one)));
    });
    if (!this.#body.children.length) replace(this.#body,
      h("tr", {}, h("td", { colspan: 8, class: "muted" }, t("transaction.none"))));
  }

  /** One line such as `buy 0.5 BTC 30000 USD fee 12 USD 2026-01-31`. */
  #quick() {
    const input = h("input", { name: "line", class: "quick-input", dir: "ltr", autocomplete: "off", spellcheck: "false",
      "aria-label": t("transaction.quick"), placeholder: t("transaction.quickExample"),
        "aria-describedby": "quick-about" });
    const about = h("p", { id: "quick-about", class: "field-about", role: "status" },
      t("transaction.quickAbout"));
    // The line that came back: sent again it is the same one, for its answer alone may be what was lost.
    let tried = null;
    // What was said of the line is what is kept of it, whichever wallet is the usual one by the time it is its turn.
    let said = null;
    const say = () => {
      const line = input.value;
      said = tried?.line === line ? tried : this.#read(line);
      const { body, fault } = said;
      replace(about, !line ? t("transaction.quickAbout") : fault ? t(`transaction.fault.${fault}`)
        : t("transaction.quickReady", {
        kind: t(`transaction.kind.${body.kind}`), amount: `${format.amount(body.amount)} ${body.asset}`,
          counter: pair(body, "counter") || "–", rest: restOf(body) }));
    };
    input.addEventListener("input", say);
    const write = (one) => {
      tried = one;
      input.value = one?.line ?? "";
      say();
    };
    // What was refused while the next line was being typed: it is taken back by a click.
    const refused = h("div", { class: "row wrap" });
    const keep = async (one) => {
      const isKept = await attempt(() => this.#enter(one.body, one.send), t("transaction.kept"));
      if (isKept) return attempt(() => this.load());
      if (!input.value) return write(one);
      const back = h("button", { type: "button", class: "small", dir: "ltr", onclick: () => {
        back.remove();
        write(one);
        input.focus();
      } }, t("transaction.notKept", { line: one.line }));
      refused.append(back);
    };
    let kept = Promise.resolve();
    const send = (event) => {
      event.preventDefault();
      if (said?.line !== input.value) say();
      const one = said;
      if (one.fault) return replace(about, t(`transaction.fault.${one.fault}`));
      // The next line is typed while this one is on its way; they are kept in their order.
      write(null);
      kept = kept.then(() => keep(one));
    };
    return h("section", { class: "panel" }, h("form", { class: "quick", onsubmit: send }, input,
      h("button", { class: "primary", type: "submit" }, t("transaction.enter")),
      h("button", { type: "button", onclick: () => this.#edit() }, icon("plus"), t("transaction.new"))),
        about, refused);
  }

  /** A line that was not sent yet. */
  #read(line) {
    const { body, fault } = parseQuick(line);
    return { line, fault, body: body && { wallet: this.wallet, ...body }, send: repeatable() };
  }

  #row(one) {
    const cell = (name, text, kind) => h("td", { class: kind, "data-head": t(`transaction.head.${name}`) }, text);
    return h("tr", {}, cell("time", [format.inUTC(one.time), one.waits_until && waits()], "num"),
      cell("kind", t(`transaction.kind.${one.kind}`)),
      cell("amount", `${format.amount(one.amount)} ${one.asset}`, "num"),
      cell("counter", pair(one, "counter"), "num"), cell("fee", pair(one, "fee"), "num"),
      cell("wallet", one.to_wallet ? `${one.wallet} → ${one.to_wallet}` : one.wallet),
      cell("note", one.note ?? "", one.note ? "muted note" : "muted"),
      h("td", {}, h("div", { class: "row" }, h("button", { class: "small", onclick: () => this.#edit(one) },
        t("action.edit")),
        h("button", { class: "small quiet icon-only", "aria-label": t("action.delete"),
          onclick: () => this.#drop(one) }, icon("cross")))));
  }

  async #edit(one) {
    const send = repeatable();
    let isTried = false;
    let areLotsLeft = false;
    const isKept = await openDialog(one ? t("transaction.edit") : t("transaction.new"), (close) => form({
      class: "editor", fields: fieldsOf(one ?? { wallet: this.wallet }), submit: t("action.save"),
      run: async (values) => {
        isTried = true;
        const body = bodyOf(values, one);
        areLotsLeft = Boolean(one?.lots?.length && !body.lots);
        await (one ? this.#change(one, body) : this.#enter(body, send));
        close(true);
      },
    }), { class: "wide" });
    if (isKept) toast(t(areLotsLeft ? "transaction.keptWithoutLots" : "transaction.kept"), { kind: "good" });
    // Without an answer it may be kept too, and what was refused may be so for a change of somebody else's.
    if (isTried) await attempt(() => this.load());
  }

  /** Keeps a new transaction. */
  async #enter(body, send) {
    await makeWallets(this.portfolio, body);
    await send(this.path, body);
  }

  /** Keeps another form of one, unless somebody has changed it since it was shown. */
  async #change(one, body) {
    await makeWallets(this.portfolio, body);
    await put(`${this.path}/${one.number}?revision=${one.revision}`, body);
  }

  async #drop(one) {
    const sure = await confirmDialog(t("transaction.delete"),
      t("transaction.deleteSure", { amount: format.amount(one.amount), asset: one.asset }),
      t("action.delete"));
    if (!sure) return;
    await attempt(async () => {
      await remove(`${this.path}/${one.number}`);
      await this.load();
    });
  }
}
