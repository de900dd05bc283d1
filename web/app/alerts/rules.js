/**
 * The list of rules: choose several, enable, disable, delete, look at one.
 * @module
 */
import { h, keepingFocus, reconcile, replace } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { itemsOf, post, remove } from "../api.js";
import { recall, recallAll } from "../last-known.js";
import { attempt, toast } from "../toast.js";
import { confirmDialog } from "../dialog.js";
import { emptyState } from "../quote-table.js";
import { sampleButton } from "../sample.js";
import { ruleText } from "./words.js";
import { termsOf } from "../units.js";
import { allForms, loadKinds } from "./kinds.js";
import { openEditor } from "./editor.js";
import { showStory } from "./story.js";

/** So many rules the API changes at once. */
const most = 500;

/** Shows the rules in an element. */
export async function showRules(root, scope) {
  const list = new Rules(root, scope);
  await list.load();
  scope.listen(window, "bitpal:firing", () => list.load());
  // Another page or device may have changed them.
  scope.listen(document, "visibilitychange", () => !document.hidden && attempt(() => list.load()));
  return list;
}

class Rules {
  #rules = [];
  #portfolios = [];
  #chosen = new Set();
  #bar = h("div", { class: "row wrap bulk", role: "toolbar", "aria-label": t("alert.bulk") });
  #list = h("ul", { class: "rules" });

  constructor(root, scope) {
    this.root = root;
    this.scope = scope;
  }

  async load() {
    this.#rules = await recallAll("/alerts", { signal: this.scope.signal });
    await this.#learn();
    const known = new Set(this.#rules.map(({ id }) => id));
    for (const id of this.#chosen) if (!known.has(id)) this.#chosen.delete(id);
    if (!this.#rules.length) {
      return replace(this.root, emptyState(t("alert.emptyTitle"), t("alert.empty"),
        h("button", { class: "primary", onclick: () => this.edit() }, t("alert.new")), sampleButton()));
    }
    keepingFocus(() => this.#list, () => this.#show());
  }

  #show() {
    replace(this.root, this.#bar, this.#list);
    this.#showBar();
    // A rule that changed is another row: its version is in the key; so is whether its words are known.
    const words = allForms().length;
    reconcile(this.#list, this.#rules, (rule) => `${rule.id}/${rule.version}/${rule.state}/${rule.fired}/${words}`,
      (rule) => this.#row(rule));
  }

  /** What rules are about, for the words that they are read back in; they can be read without it. */
  async #learn() {
    const instruments = [...new Set(this.#rules.map(({ instrument }) => instrument).filter(Boolean))];
    await Promise.all([loadKinds().catch(() => {}),
      ...instruments.slice(0, 30).map((instrument) => termsOf(instrument))]);
    if (!this.#rules.some(({ condition }) => condition.portfolio)) return;
    this.#portfolios = itemsOf((await recall("/portfolios", { signal: this.scope.signal }).catch(() => ({}))).data ?? []);
  }

  /** Opens the editor for a rule, or for a new one. */
  async edit(rule) {
    if (await openEditor(rule)) {
      toast(rule ? t("alert.changed") : t("alert.made"), { kind: "good" });
      await attempt(() => this.load());
    }
  }

  #row(rule) {
    const sentence = ruleText(rule, this.#portfolios);
    const name = rule.note || sentence;
    const choose = h("input", { type: "checkbox", "aria-label": t("alert.choose", { name }),
      onchange: (event) => {
      if (event.target.checked) this.#chosen.add(rule.id);
      else this.#chosen.delete(rule.id);
      this.#showBar();
    } });
    choose.checked = this.#chosen.has(rule.id);
    const isOn = rule.state === "armed";
    const act = (path, text) => attempt(async () => {
      await post(`/alerts/${rule.id}/${path}`);
      await this.load();
    }, text);
    return h("li", { class: "rule", dataset: { rule: rule.id, state: rule.state } },
      h("div", { class: "tick" }, choose),
      h("div", { class: "grow" },
        h("p", { class: "rule-line" }, rule.instrument && h("a", { href: `/#/instrument/${rule.instrument}`,
          class: "symbol" }, rule.instrument),
          " ", h("span", {}, sentence)),
        h("p", { class: "muted" }, [rule.note,
          t("alert.firedTimes", { n: rule.fired ?? 0 }),
          rule.channels?.join(", ")].filter(Boolean).join(" · "))),
      h("div", { class: "row" },
        h("span", { class: "tag", dataset: { state: rule.state } }, t(`alert.state.${rule.state}`)),
        rule.state !== "done" && h("button", { class: "small", onclick: () => act(isOn ? "disable"
          : "enable") }, isOn ? t("alert.disable") : t("alert.enable")),
        h("button", { class: "small", onclick: () => this.edit(rule) }, t("action.edit")),
        h("button", { class: "small", onclick: () => showStory(rule) }, t("alert.why")),
        h("button", { class: "small", onclick: () => act("test-fire", t("alert.testFired")) },
          t("alert.test"))));
  }

  #showBar() {
    const all = h("button", { class: "small", onclick: () => {
      const isAll = this.#chosen.size === this.#rules.length;
      this.#chosen = new Set(isAll ? [] : this.#rules.map(({ id }) => id));
      for (const box of this.#list.querySelectorAll("input[type=checkbox]")) box.checked = !isAll;
      this.#showBar();
    } }, t("alert.chooseAll"));
    const run = (action) => h("button", { class: `small ${action === "delete" ? "danger" : ""}`,
      onclick: () => this.#bulk(action) }, t(`alert.${action}`));
    replace(this.#bar, all, this.#chosen.size > 0
      && [h("span", { class: "muted" }, t("alert.chosen", { n: this.#chosen.size })),
        run("enable"), run("disable"), run("delete")]);
  }

  async #bulk(action) {
    const ids = [...this.#chosen];
    if (action === "delete") {
      const sure = await confirmDialog(t("alert.delete"), t("alert.deleteSure", { n: ids.length }),
        t("action.delete"));
      if (!sure) return;
    }
    await attempt(async () => {
      if (ids.length === 1 && action === "delete") return await remove(`/alerts/${ids[0]}`);
      for (let start = 0; start < ids.length; start += most) {
        await post("/alerts/bulk", { ids: ids.slice(start, start + most), action });
      }
    });
    // Also of what went wrong half way some is done.
    await attempt(() => this.load());
  }
}

/** A button that makes a rule. */
export const newRule = (list) => h("button", { class: "primary", onclick: () => list().edit() }, icon("plus"),
  t("alert.new"));
