/**
 * The user's watchlists: choose one, add to it, put it in order, remove from it.
 * @module
 */
import { h, replace } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";
import { get, instrumentPath, itemsOf, patch, post, put, remove, ApiError } from "./api.js";
import { recall } from "./last-known.js";
import { note } from "./quotes.js";
import { QuoteTable, emptyState } from "./quote-table.js";
import { staleBanner } from "./stale-banner.js";
import { attempt, toast, toastError } from "./toast.js";
import { openSearchDialog } from "./search.js";
import { openDialog, confirmDialog } from "./dialog.js";
import { field, form } from "./forms.js";
import { split } from "./quote-row.js";
import { FirstSteps } from "./first-steps.js";

const chosen = "bitpal.watchlist";

/** Shows the lists. */
export async function showWatchlists(root, { scope }) {
  const view = new Watchlists(root, scope);
  await view.load();
  return t("watchlist.title");
}

class Watchlists {
  #lists = [];
  #list = null;
  #order = [];
  #table;
  #tabs = h("div", { class: "tabs", role: "tablist", "aria-label": t("watchlist.lists") });
  #content = h("div", { id: "watchlist", role: "tabpanel" });
  #trending = h("div");
  #steps;
  /** What can be done with a list, where there is one. */
  #ofList = ["rename", "delete"].map((action) => h("option", { value: action }, t(`watchlist.${action}`)));

  constructor(root, scope) {
    this.scope = scope;
    this.#steps = new FirstSteps(scope, () => this.#search());
    const add = h("button", { class: "primary", onclick: () => this.#search() }, icon("plus"),
      t("watchlist.add"));
    replace(root,
      h("div", { class: "view-head" }, h("h1", {}, t("watchlist.title")), this.#tabs,
        h("div", { class: "row end" }, this.#menu(), add)),
      staleBanner(scope), this.#steps.element, this.#content, this.#trending);
    scope.listen(window, "keydown", (event) => {
      if (event.key !== "n" || event.target.closest("input, textarea, select, dialog")) return;
      event.preventDefault();
      this.#search();
    });
  }

  async load() {
    const { data } = await recall("/watchlists", { signal: this.scope.signal });
    this.#lists = itemsOf(data);
    const wanted = localStorage.getItem(chosen);
    await this.#open(this.#lists.find(({ id }) => id === wanted) ?? this.#lists[0] ?? null);
  }

  async #open(list) {
    this.#list = list;
    if (list) localStorage.setItem(chosen, list.id);
    this.#showTabs();
    this.#table = new QuoteTable(this.scope, {
      label: list?.name ?? t("watchlist.title"),
      onRemove: (instrument) => this.#remove(instrument),
      onReorder: (order) => this.#reorder(order),
    });
    let [entries, time] = [[], undefined];
    if (list) {
      const { data, ...answer } = await recall(`/watchlists/${list.id}?quotes=true`, { signal: this.scope.signal });
      entries = data.entries ?? [];
      time = answer.time;
    }
    for (const { instrument, ticker } of entries) if (ticker) note(ticker, instrument, time);
    this.#show(entries.map(({ instrument }) => instrument));
  }

  #show(order) {
    this.#order = order;
    this.#table.show(order);
    const empty = emptyState(t("watchlist.emptyTitle"), t("watchlist.empty"),
      h("button", { class: "primary", onclick: () => this.#search() }, t("watchlist.addFirst")));
    replace(this.#content, order.length ? h("div", { class: "panel flush" }, this.#table.element) : empty);
    if (order.length) this.#steps.watched();
    if (order.length) this.#trending.replaceChildren();
    else this.#suggest();
  }

  /** What moves most, to begin an empty list with. */
  async #suggest() {
    try {
      let items = itemsOf(await get("/trending?limit=6", { signal: this.scope.signal }));
      if (!items.length) items = itemsOf(await get("/tickers", { signal: this.scope.signal })).slice(0, 6);
      const names = items.map((item) => item.instrument ?? `${item.venue}:${item.symbol}`);
      if (!names.length || this.#order.length) return;
      replace(this.#trending, h("h2", { class: "small-head" }, t("watchlist.suggested")),
        h("div", { class: "chips" }, names.map((name) => h("button", { onclick: () => this.#add(name) },
          icon("plus"), split(name).symbol, h("span", { class: "muted" }, split(name).venue)))));
    } catch {
      // Suggestions are a courtesy.
    }
  }

  #showTabs() {
    for (const option of this.#ofList) option.hidden = option.disabled = !this.#list;
    replace(this.#tabs, this.#lists.length < 2 ? [] : this.#lists.map((list) => h("button", {
      role: "tab", "aria-selected": String(list.id === this.#list?.id), "aria-controls": "watchlist",
      onclick: () => this.#open(list).catch(toastError),
    }, list.name)));
  }

  #menu() {
    const choose = async (event) => {
      const action = event.target.value;
      event.target.value = "";
      if (action === "new") await this.#name(t("watchlist.new"), "", (name) => this.#make(name));
      if (!this.#list) return;
      if (action === "rename") await this.#name(t("watchlist.rename"), this.#list.name,
        (name) => this.#rename(name));
      if (action === "delete") await this.#delete();
    };
    return h("select", { class: "menu", "aria-label": t("watchlist.menu"), onchange: choose },
      h("option", { value: "" }, t("watchlist.menu")), h("option", { value: "new" }, t("watchlist.new")),
      this.#ofList);
  }

  #name(title, name, run) {
    return openDialog(title, (close) => form({
      fields: field(t("watchlist.name"), { name: "name", value: name, required: true, maxlength: 60 }),
      submit: t("action.save"),
      run: async (values) => {
        await run(values.name);
        close();
      },
    }));
  }

  async #make(name) {
    const list = await post("/watchlists", { name });
    this.#lists.push(list);
    await this.#open(list);
    return list;
  }

  async #rename(name) {
    await patch(`/watchlists/${this.#list.id}`, { name });
    this.#list.name = name;
    this.#showTabs();
  }

  async #delete() {
    const { id, name } = this.#list;
    const isSure = await confirmDialog(t("watchlist.delete"), t("watchlist.deleteSure", { name }),
      t("action.delete"));
    if (!isSure || !(await attempt(() => remove(`/watchlists/${id}`)))) return;
    await this.load().catch(toastError);
  }

  #search() {
    openSearchDialog({ title: t("watchlist.add"), has: (name) => this.#order.includes(name), isMany: true,
      onPick: (name) => this.#add(name) });
  }

  async #add(instrument) {
    if (this.#order.includes(instrument)) return toast(t("watchlist.has", { name: instrument }));
    try {
      if (!this.#list) await this.#make(t("watchlist.defaultName"));
      await post(`/watchlists/${this.#list.id}/entries`, { instrument });
      this.#show([...this.#order, instrument]);
    } catch (error) {
      if (error instanceof ApiError && error.code === "duplicate") toast(t("watchlist.has",
        { name: instrument }));
      else toastError(error);
    }
  }

  async #remove(instrument) {
    const former = this.#order;
    const { id } = this.#list;
    this.#show(former.filter((name) => name !== instrument));
    const isGone = await attempt(() => remove(`/watchlists/${id}/entries/${instrumentPath(instrument)}`));
    if (!isGone) return this.#show(former);
    toast(t("watchlist.removed", { name: instrument }), {
      action: { label: t("action.undo"), run: () => this.#restore(instrument, former) } });
  }

  async #restore(instrument, order) {
    await this.#add(instrument);
    if (this.#order.length === order.length) await this.#reorder(order);
    this.#show(this.#order.length === order.length ? order : this.#order);
  }

  async #reorder(order) {
    const former = this.#order;
    this.#order = order;
    const isKept = await attempt(() => put(`/watchlists/${this.#list.id}/order`, { instruments: order }));
    if (!isKept) this.#show(former);
  }
}
