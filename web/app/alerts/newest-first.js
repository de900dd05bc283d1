/**
 * A list of the API that grows at its head and is shown page by page, with what is shown kept in its place.
 * @module
 */
import { h, reconcile, replace } from "../dom.js";
import { t } from "../i18n.js";
import { get, itemsOf } from "../api.js";
import { recall } from "../last-known.js";
import { attempt } from "../toast.js";

/** Items, newest first; the older ones come when somebody asks for more. */
export class NewestFirst {
  #items = [];
  #cursor = null;
  #asked = 0;
  /** Which question the answer that is shown was of; 0 where it is what is known of before. */
  #shown = 0;
  #more = h("button", { hidden: true, onclick: () => attempt(() => this.#loadMore()) }, t("action.more"));

  /**
   * @param {Element} root
   * @param {{path: string, signal: AbortSignal, list: Element, empty: () => Element,
   *   row: (item: any) => Element, idOf: (item: any) => string, stateOf?: (item: any) => string}} parts
   *   `stateOf` says what may become of an item, so that it has another row then
   */
  constructor(root, { path, signal, list, empty, row, idOf, stateOf = () => "" }) {
    this.root = root;
    this.path = path;
    this.signal = signal;
    this.list = list;
    this.empty = empty;
    this.row = row;
    this.idOf = idOf;
    this.stateOf = stateOf;
  }

  /** Loads the newest; older ones that are shown already stay. */
  async load() {
    const turn = (this.#asked += 1);
    const { data, isOld } = await recall(`${this.path}?limit=100`, { signal: this.signal });
    // Asked again meanwhile, and answered: that is newer. A later question that fails takes nothing away.
    if (isOld ? this.#shown : turn < this.#shown) return;
    if (!isOld) this.#shown = turn;
    const newest = itemsOf(data);
    const ids = new Set(newest.map(this.idOf));
    const older = this.#items.filter((item) => !ids.has(this.idOf(item)));
    // Where both have nothing in common there may be others in between.
    const isAnew = older.length === this.#items.length;
    if (isAnew) this.#cursor = data.next ?? null;
    this.#items = isAnew ? newest : [...newest, ...older];
    this.#show();
  }

  /** Shows an item as it has become. */
  put(item) {
    this.#items = this.#items.map((one) => (this.idOf(one) === this.idOf(item) ? item : one));
    this.#show();
  }

  async #loadMore() {
    const cursor = this.#cursor;
    const page = await get(`${this.path}?limit=100&cursor=${encodeURIComponent(cursor)}`,
      { signal: this.signal });
    // A second press has brought this page already, or it continues a list that is no longer shown.
    if (cursor !== this.#cursor) return;
    this.#cursor = page.next ?? null;
    this.#items.push(...itemsOf(page));
    this.#show();
  }

  #show() {
    this.#more.hidden = !this.#cursor;
    if (!this.#items.length) return replace(this.root, this.empty());
    reconcile(this.list, this.#items, (item) => `${this.idOf(item)}/${this.stateOf(item)}`, this.row);
    if (this.list.parentNode !== this.root) replace(this.root, this.list, this.#more);
  }
}
