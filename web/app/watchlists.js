/**
 * The user's watchlists: choose one, add to it, put it in order, remove from it.
 * @module
 */
import { h, replace } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";
import { get, instrumentPath, itemsOf, patch, post, put, remove, ApiError } from "./api.js";
import { recall } from "./last-known.js";
import { newest } from "./newest.js";
import { Changes } from "./changes.js";
import { backIn, inOrderOf } from "./orders.js";
import { note } from "./quotes.js";
import { QuoteTable, emptyState } from "./quote-table.js";
import { staleBanner } from "./stale-banner.js";
import { attempt, toast, toastError } from "./toast.js";
import { openSearchDialog } from "./search.js";
import { confirmDialog } from "./dialog.js";
import { askName } from "./name-dialog.js";
import { FirstSteps } from "./first-steps.js";
import { sampleButton } from "./sample.js";
import { suggestions } from "./suggestions.js";
import { Scope } from "./scope.js";

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
  /** The order that the server has, as far as it is known here. */
  #kept = [];
  #table;
  /** What the list that is shown started, and the one that somebody waits for. */
  #shown;
  #opening;
  #adding = Promise.resolve();
  #changes = new Changes(() => this.scope.isStopped || this.#catchUp());
  #tabs = h("div", { class: "tabs", role: "tablist", "aria-label": t("watchlist.lists") });
  #content = h("div", { id: "watchlist", role: "tabpanel" });
  #trending = h("div");
  #steps;
  /** What can be done with a list, where there is one. */
  #ofList = ["rename", "earlier", "later", "delete"].map((action) => h("option", { value: action },
    t(`watchlist.${action}`)));

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
    scope.listen(document, "visibilitychange", () => !document.hidden && this.#catchUp());
    scope.listen(window, "keydown", (event) => {
      if (event.key !== "n" || event.target.closest("input, textarea, select, dialog")) return;
      event.preventDefault();
      this.#search();
    });
  }

  async load() {
    const { data } = await recall("/watchlists", { signal: this.scope.signal });
    this.#take(itemsOf(data));
    // Another page may have chosen another one since.
    const wanted = this.#list?.id ?? localStorage.getItem(chosen);
    await this.#open(this.#lists.find(({ id }) => id === wanted) ?? this.#lists[0] ?? null);
  }

  /** Takes the lists as the server has them; the one that is shown is of these from now on. */
  #take(lists) {
    this.#lists = lists;
    this.#list = this.#ofLists(this.#list);
  }

  #ofLists(list) {
    return this.#lists.find(({ id }) => id === list?.id) ?? list;
  }

  /** Shows what another page or device did meanwhile; what is the same stays as it is. */
  async #catchUp() {
    const { signal } = this.scope;
    const isOfNow = this.#changes.read();
    if (!isOfNow()) return;
    try {
      const lists = itemsOf(await get("/watchlists", { signal }));
      if (!isOfNow()) return;
      if (namesOf(lists) !== namesOf(this.#lists)) return await this.load();
      const list = this.#list;
      if (!list || this.#opening) return;
      const { entries } = await get(`/watchlists/${list.id}`, { signal });
      const order = entries.map(({ instrument }) => instrument);
      if (isOfNow() && this.#isShown(list) && String(order) !== String(this.#order)) await this.#open(list);
    } catch {
      // Whether the server is there is shown elsewhere.
    }
  }

  /** Shows a list as soon as it is known what is on it; until then what is done is done to the one before. */
  async #open(list) {
    if (this.scope.isStopped) return;
    this.#opening?.stop();
    const scope = (this.#opening = new Scope());
    const isOfNow = this.#changes.read();
    const { entries, time, isOld } = await entriesOf(list, scope.signal).finally(() => {
      if (this.#opening === scope) this.#opening = null;
    });
    if (scope.isStopped) return;
    // What was on it once is older than what is shown; only its order is taken back.
    if (isOld && this.#isShown(list)) return this.#show(inOrderOf(this.#kept, this.#order));
    // What was read may be of before a change of one's own: it is read again after that.
    if (list && this.#isShown(list) && !isOfNow()) return this.#showTabs();
    this.#shown?.stop();
    this.#shown = scope;
    this.#list = this.#ofLists(list);
    if (list) localStorage.setItem(chosen, list.id);
    this.#showTabs();
    const keep = newest((order) => this.#keep(order, list));
    this.#table = new QuoteTable(scope, {
      label: list?.name ?? t("watchlist.title"),
      onRemove: (instrument) => this.#remove(instrument, list, keep),
      onReorder: (order) => this.#reorder(order, keep),
    });
    for (const { instrument, ticker } of entries) if (ticker) note(ticker, instrument, time);
    this.#kept = entries.map(({ instrument }) => instrument);
    this.#show(this.#kept);
  }

  #isShown(list) {
    return this.#list?.id === list.id;
  }

  #show(order) {
    this.#order = order;
    this.#table.show(order);
    const empty = emptyState(t("watchlist.emptyTitle"), t("watchlist.empty"),
      h("button", { class: "primary", onclick: () => this.#search() }, t("watchlist.addFirst")), sampleButton());
    replace(this.#content, order.length ? h("div", { class: "panel flush" }, this.#table.element) : empty);
    if (order.length) this.#steps.watched();
    if (order.length) this.#trending.replaceChildren();
    else this.#suggest();
  }

  async #suggest() {
    // They are a courtesy.
    const found = await suggestions(this.scope.signal, (name) => attempt(() => this.#add(name))).catch(() => []);
    if (!this.#order.length && !this.scope.isStopped) replace(this.#trending, found);
  }

  #showTabs() {
    const at = this.#place;
    const cannot = { earlier: at === 0, later: at === this.#lists.length - 1 };
    for (const option of this.#ofList) option.hidden = option.disabled = !this.#list || !!cannot[option.value];
    replace(this.#tabs, this.#lists.length < 2 ? [] : this.#lists.map((list) => h("button", {
      role: "tab", "aria-selected": String(list.id === this.#list?.id), "aria-controls": "watchlist",
      onclick: () => this.scope.run(() => this.#open(list)),
    }, list.name)));
  }

  #menu() {
    const choose = async (event) => {
      const action = event.target.value;
      event.target.value = "";
      if (action === "new") await askName(t("watchlist.new"), "", (name) => this.#make(name));
      if (!this.#list) return;
      if (action === "rename") await askName(t("watchlist.rename"), this.#list.name,
        (name) => this.#rename(name));
      if (action === "earlier") await attempt(() => this.#move(-1));
      if (action === "later") await attempt(() => this.#move(1));
      if (action === "delete") await this.#delete();
    };
    return h("select", { class: "menu", "aria-label": t("watchlist.menu"), onchange: choose },
      h("option", { value: "" }, t("watchlist.menu")), h("option", { value: "new" }, t("watchlist.new")),
      this.#ofList);
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

  /** Where the list that is shown is among all. */
  get #place() {
    return this.#lists.findIndex(({ id }) => id === this.#list?.id);
  }

  async #move(by) {
    await patch(`/watchlists/${this.#list.id}`, { position: Math.max(0, this.#place + by) });
    this.#take(itemsOf(await get("/watchlists", { signal: this.scope.signal })));
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
      await this.#changes.during(() => post(`/watchlists/${list.id}/entries`, { instrument }));
    } catch (error) {
      // Another page was quicker: what it did is not known here.
      if (!(error instanceof ApiError && error.code === "duplicate")) throw error;
      return await this.#open(list);
    }
    if (this.#isShown(list) && !this.#order.includes(instrument)) this.#show([...this.#order, instrument]);
  }

  async #remove(instrument, list, keep) {
    const former = this.#order;
    this.#show(former.filter((name) => name !== instrument));
    const path = `/watchlists/${list.id}/entries/${instrumentPath(instrument)}`;
    if (await this.#changes.during(() => attempt(() => remove(path)))) {
      const restore = () => attempt(() => this.#restore(instrument, former, list, keep));
      const action = { label: t("action.undo"), run: restore };
      toast(t("watchlist.removed", { name: instrument }), { action });
    } else if (this.#isShown(list)) {
      this.#show(backIn(this.#order, instrument, former));
      await this.#catchUp();
    }
  }

  async #restore(instrument, former, list, keep) {
    await this.#changes.during(() => post(`/watchlists/${list.id}/entries`, { instrument }));
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

  /** True when the order is kept; else the list is shown as the server has it. */
  async #keep(order, list) {
    const send = () => put(orderOf(list), { instruments: order }, { keepalive: true });
    const isKept = await this.#changes.during(() => attempt(send));
    if (!this.#isShown(list)) return isKept;
    if (isKept) this.#kept = order;
    // It may be refused for what another page changed, which is not known here.
    else if (!this.#opening) await attempt(() => this.#open(list));
    return isKept;
  }
}

const namesOf = (lists) => JSON.stringify(lists.map(({ id, name }) => [id, name]));

const orderOf = (list) => `/watchlists/${list.id}/order`;

/** What is on a list, and of when that is; nothing without a list. */
async function entriesOf(list, signal) {
  if (!list) return { entries: [] };
  const { data, time, isOld } = await recall(`/watchlists/${list.id}?quotes=true`, { signal });
  return { entries: data.entries ?? [], time, isOld };
}
