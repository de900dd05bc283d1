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
import { Scope } from "./router.js";

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
  /** What the order was before somebody changed it, as long as the new one is not kept. */
  #kept = [];
  #table;
  /** What the list that is shown started, and the one that somebody waits for. */
  #shown;
  #opening;
  #adding = Promise.resolve();
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
    scope.onStop(() => {
      this.#shown?.stop();
      this.#opening?.stop();
    });
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

  /** Shows a list as soon as it is known what is on it; until then what is done is done to the one before. */
  async #open(list) {
    if (this.scope.isStopped) return;
    this.#opening?.stop();
    const scope = (this.#opening = new Scope());
    const { entries, time } = list ? await entriesOf(list, scope.signal) : { entries: [] };
    if (scope.isStopped) return;
    this.#opening = null;
    this.#shown?.stop();
    this.#shown = scope;
    this.#list = list;
    if (list) localStorage.setItem(chosen, list.id);
    this.#showTabs();
    const keep = newest((order) => this.#keep(order, list));
    this.#table = new QuoteTable(scope, {
      label: list?.name ?? t("watchlist.title"),
      onRemove: (instrument) => this.#remove(instrument, list, keep),
      onReorder: (order) => this.#reorder(order, keep),
    });
    for (const { instrument, ticker } of entries) if (ticker) note(ticker, instrument, time);
    this.#show(entries.map(({ instrument }) => instrument));
  }

  #isShown(list) {
    return this.#list?.id === list.id;
  }

  #show(order) {
    this.#order = this.#kept = order;
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
      if (!names.length || this.#order.length || this.scope.isStopped) return;
      replace(this.#trending, h("h2", { class: "small-head" }, t("watchlist.suggested")),
        h("div", { class: "chips" }, names.map((name) => h("button", {
          onclick: () => attempt(() => this.#add(name)),
        }, icon("plus"), split(name).symbol, h("span", { class: "muted" }, split(name).venue)))));
    } catch {
      // Suggestions are a courtesy.
    }
  }

  #showTabs() {
    for (const option of this.#ofList) option.hidden = option.disabled = !this.#list;
    replace(this.#tabs, this.#lists.length < 2 ? [] : this.#lists.map((list) => h("button", {
      role: "tab", "aria-selected": String(list.id === this.#list?.id), "aria-controls": "watchlist",
      onclick: () => this.scope.run(() => this.#open(list)),
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

  /** Adds one after the other, so that the first makes the list where there is none. */
  #add(instrument) {
    const added = this.#adding.then(() => this.#addNow(instrument));
    this.#adding = added.catch(() => {});
    return added;
  }

  async #addNow(instrument) {
    const list = this.#list ?? (await this.#make(t("watchlist.defaultName")));
    if (this.#order.includes(instrument)) return;
    try {
      await post(`/watchlists/${list.id}/entries`, { instrument });
    } catch (error) {
      // Another page was quicker: what it did is not known here.
      if (!(error instanceof ApiError && error.code === "duplicate")) throw error;
      return await this.#open(list);
    }
    if (this.#isShown(list)) this.#show([...this.#order, instrument]);
  }

  async #remove(instrument, list, keep) {
    const former = this.#order;
    this.#show(former.filter((name) => name !== instrument));
    const path = `/watchlists/${list.id}/entries/${instrumentPath(instrument)}`;
    if (await attempt(() => remove(path))) {
      const restore = () => attempt(() => this.#restore(instrument, former, list, keep));
      const action = { label: t("action.undo"), run: restore };
      toast(t("watchlist.removed", { name: instrument }), { action });
    } else if (this.#isShown(list)) {
      this.#show(backIn(this.#order, instrument, former));
    }
  }

  async #restore(instrument, former, list, keep) {
    await post(`/watchlists/${list.id}/entries`, { instrument });
    if (this.#isShown(list)) {
      this.#show(backIn(this.#order, instrument, former));
      await keep(this.#order);
    } else {
      // Where the list was changed since, it is at the end.
      await put(orderOf(list), { instruments: former }).catch(() => {});
    }
  }

  #reorder(order, keep) {
    this.#order = order;
    return keep(order);
  }

  /** True when the order is kept; else the one before is back. */
  async #keep(order, list) {
    const isKept = await attempt(() => put(orderOf(list), { instruments: order }, { keepalive: true }));
    if (!this.#isShown(list)) return isKept;
    if (isKept) this.#kept = order;
    else this.#show(this.#kept);
    return isKept;
  }
}

const orderOf = (list) => `/watchlists/${list.id}/order`;

async function entriesOf(list, signal) {
  const { data, time } = await recall(`/watchlists/${list.id}?quotes=true`, { signal });
  return { entries: data.entries ?? [], time };
}

/** An order with one that it had, before the one that it stood before. */
function backIn(order, name, former) {
  if (order.includes(name)) return order;
  const next = former.slice(former.indexOf(name) + 1).find((one) => order.includes(one));
  const place = next ? order.indexOf(next) : order.length;
  return [...order.slice(0, place), name, ...order.slice(place)];
}

/**
 * Runs something for one value after another until it fails; of those that come meanwhile for the newest. Where the
 * page is left that one does not wait.
 */
function newest(run) {
  let value;
  let done;
  let running = null;
  const isNext = () => done !== value;
  const hurry = () => isNext() && run((done = value));
  const runAll = async () => {
    addEventListener("pagehide", hurry);
    while (isNext() && (await run((done = value)))) continue;
    removeEventListener("pagehide", hurry);
    running = null;
  };
  return (next) => {
    value = next;
    return (running ??= runAll());
  };
}
