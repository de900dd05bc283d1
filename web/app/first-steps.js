/**
 * A short help for the first visits: each step notices that it is done, and all of it goes when nothing is left to
 * do or nobody wants to see it. The account remembers both, on every device.
 * @module
 */
import { h, replace } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";
import { get, itemsOf } from "./api.js";
import { change, session } from "./session.js";
import { attempt } from "./toast.js";

/** What the account remembers: that all of it is over, and each step by its own name. */
const over = "first-steps";
const mark = (step) => `${over}-${step}`;

/** Whether a list of the API has an item, or one of a kind. */
const some = async (path, signal, is = () => true) => itemsOf(await get(path, { signal })).some(is);

/** The steps, with what to look for when it is not yet known that one is done. */
const steps = {
  watch: { picture: "plus" },
  alert: { picture: "bell", path: "/alerts", isDone: (signal) => some("/alerts?limit=1", signal) },
  tell: { picture: "pulse", path: "/alerts/channels", isDone: async (signal) =>
    await some("/channels", signal, ({ state }) => state === "usable") || await some("/account/devices", signal) },
  hold: { picture: "pie", path: "/portfolio", isDone: async (signal) => {
    for (const { id } of itemsOf(await get("/portfolios", { signal }))) {
      if (await some(`/portfolios/${id}/transactions?limit=1`, signal)) return true;
    }
    return false;
  } },
};
const names = Object.keys(steps);

/** The help in its place on the first view; empty where it is over. */
export class FirstSteps {
  element = h("div");
  #done = new Set();

  /** @param {any} scope of the view @param {() => void} onSearch begins the first step */
  constructor(scope, onSearch) {
    this.scope = scope;
    this.onSearch = onSearch;
    this.#done = new Set(names.filter((name) => this.#remembered.includes(mark(name))));
    if (this.#isShown) this.#look();
  }

  /** The first step is done: there is something on a list. */
  async watched() {
    if (!this.#isShown || this.#done.has("watch") || !navigator.onLine) return;
    await this.#note(["watch"]);
  }

  get #remembered() {
    return session.settings.onboarding ?? [];
  }

  get #isShown() {
    return Boolean(session.user) && !this.#remembered.includes(over);
  }

  /** Looks for what was done elsewhere since; when that cannot be asked now, it is the next time. */
  async #look() {
    const { signal } = this.scope;
    const open = names.filter((name) => steps[name].isDone && !this.#done.has(name));
    try {
      const answers = await Promise.all(open.map((name) => steps[name].isDone(signal)));
      if (!this.scope.isStopped) await this.#note(open.filter((_, index) => answers[index]));
    } catch {
      // Nobody is told to do what may be done already.
    }
  }

  async #note(found) {
    for (const name of found) this.#done.add(name);
    const isAll = names.every((name) => this.#done.has(name));
    this.#show(isAll);
    if (!found.length) return;
    // Nobody asked for this: what is not kept now is found again the next time.
    await this.#keep([...names.filter((name) => this.#done.has(name)).map(mark), ...(isAll ? [over] : [])])
      .catch(() => {});
  }

  #keep(marks) {
    return change({ onboarding: [...new Set([...this.#remembered, ...marks])] });
  }

  #show(isAll) {
    if (isAll) return this.element.replaceChildren();
    const list = h("ol", {}, names.map((name) => this.#step(name)));
    replace(this.element, h("section", { class: "panel first-steps", "aria-labelledby": "first-steps" },
      h("div", { class: "panel-head" }, h("h2", { id: "first-steps" }, t("start.title")),
        h("p", { class: "muted", role: "status" }, this.#done.size
          ? t("start.progress", { n: this.#done.size, all: names.length }) : t("start.about")),
        h("button", { class: "small quiet", onclick: () => this.#dismiss() }, t("start.done"))), list));
  }

  #step(name) {
    const { picture, path } = steps[name];
    const isDone = this.#done.has(name);
    const title = t(`start.${name}`);
    const way = isDone ? h("p", { class: "step-done" }, title, " ", h("span", { class: "tag" }, t("start.isDone")))
      : path ? h("a", { href: `/#${path}` }, title) : h("button", { class: "link", onclick: this.onSearch }, title);
    return h("li", { dataset: { step: name, done: String(isDone) } }, icon(isDone ? "check" : picture), h("div", {}, way,
      !isDone && h("p", { class: "muted" }, t(`start.${name}About`))));
  }

  #dismiss() {
    return attempt(async () => {
      await this.#keep([over]);
      this.element.replaceChildren();
      document.getElementById("main").focus();
    });
  }
}
