/**
 * Makes a rule, or changes one: every kind of condition, when it fires again, when it may, whom it tells.
 * @module
 */
import { h, replace, setText } from "../dom.js";
import { t, tOr } from "../i18n.js";
import { getAll, patch } from "../api.js";
import { openDialog } from "../dialog.js";
import { field, form, setHint, tick, valuesOf } from "../forms.js";
import { attempt, toast } from "../toast.js";
import * as format from "../format.js";
import { momentField, momentOf } from "../moment-field.js";
import { allForms, formOf, loadKinds, condition, parts } from "./kinds.js";
import { ruleText } from "./words.js";
import { helpFor } from "./help.js";
import { termsOf } from "../units.js";
import { openSearchDialog } from "../search.js";
import { session } from "../session.js";
import { makeRule, ruleID } from "./rule-id.js";

const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** Opens the editor; true when something was kept. */
export async function openEditor(rule) {
  let known;
  // Without them what the rule says of them could not be shown, and saving would take it away.
  const isKnown = await attempt(async () => {
    known = (await Promise.all([getAll("/channels"), getAll("/portfolios"), loadKinds()])).slice(0, 2);
  });
  if (!isKnown) return false;
  // Shown as another kind it would be saved as one.
  if (rule && !parts(rule.condition).kind) {
    toast(t("error.incomplete"), { kind: "bad" });
    return false;
  }
  return openDialog(rule ? t("alert.edit") : t("alert.new"), (close) =>
    new Editor(rule, ...known, close).element, { class: "wide" });
}

/** What can be chosen, and what is chosen already where that is something else. */
const withValue = (options, value, text) =>
  (!value || options.some(([one]) => one === value) ? options : [...options, [value, text]]);

class Editor {
  /** Boxes of which at least one is to be ticked, by what their names begin with. */
  #boxes = new Map();
  #special = h("div", { class: "field-grid" });
  #sentence = h("p", { class: "sentence", role: "status" });

  constructor(rule, channels, portfolios, close) {
    this.rule = rule;
    this.id = rule?.id ?? ruleID();
    this.zone = rule?.active?.time_zone ?? session.settings.time_zone ?? "UTC";
    this.portfolios = portfolios;
    const known = rule ? parts(rule.condition) : { kind: "price", values: {} };
    this.values = known.values;
    this.kind = known.kind || allForms()[0].name;
    this.element = form({
      class: "editor",
      fields: [
        field(t("alert.field.kind"), { name: "kind", value: this.kind,
          options: allForms().map(({ name, title }) => [name, title]),
          onchange: (event) => this.#choose(event.target.value) }),
        this.#instrument(), this.#special, this.#repetition(),
        h("details", {}, h("summary", {}, t("alert.more")), this.#more(channels)), this.#sentence,
      ],
      submit: t("action.save"),
      run: async (values) => {
        if (this.#lacksTick()) return;
        await this.#save(values);
        close(true);
      },
    });
    this.element.addEventListener("input", () => this.#say());
    this.#choose(this.kind);
    this.#learn(rule?.instrument);
  }

  #instrument() {
    const pick = h("button", { type: "button", onclick: () => openSearchDialog({ onPick: (name) => {
      input.value = name;
      this.#say();
      this.#learn(name);
    } }) }, t("search.open"));
    const element = field(t("alert.field.instrument"), { name: "instrument",
      value: this.rule?.instrument ?? "",
      placeholder: "kraken:BTC/USD", autocomplete: "off", suffix: pick,
      onchange: (event) => this.#learn(event.target.value.trim()) });
    const input = element.querySelector("input");
    this.instrumentField = element;
    return element;
  }

  #choose(kind) {
    this.kind = kind;
    const { has_instrument: hasInstrument, fields, choices } = formOf(kind);
    this.instrumentField.hidden = !hasInstrument;
    replace(this.#special, fields.map((part) => {
      const value = String(this.values[part.name] ?? part.value);
      const label = part.label ?? tOr(`alert.field.${part.name}`, part.name);
      if (part.options.length) {
        const textOf = (option) => (part.type === "interval" ? format.duration(option)
          : choices[option] ?? tOr(`alert.value.${option || "any"}`, option));
        const options = part.options.map((option) => [option, textOf(option)]);
        return field(label, { name: part.name, value, options: withValue(options, value, textOf(value)) });
      }
      if (part.type === "portfolio") {
        const options = this.portfolios.map(({ id, name }) => [id, name]);
        return field(label, { name: part.name, value, options: withValue(options, value, value) });
      }
      return field(label, { name: part.name, value, autocomplete: "off", required: !part.optional,
        isDecimal: part.type === "number" || part.type === "whole" });
    }));
    this.#say();
  }

  #repetition() {
    const repeat = this.rule?.repeat;
    const isOnce = !repeat || repeat === "once";
    this.again = [field(t("alert.field.cooldown"), { name: "cooldown", value: isOnce ? "1h" : repeat.cooldown }),
      field(t("alert.field.hysteresis"), { name: "hysteresis", value: isOnce ? "" : repeat.hysteresis ?? "",
        isDecimal: true })];
    return h("div", { class: "field-grid" },
      field(t("alert.field.repeat"), { name: "repeat", value: isOnce ? "once" : "again",
        options: [["once", t("alert.once")], ["again", t("alert.again")]] }), this.again);
  }

  #more(channels) {
    const rule = this.rule ?? {};
    this.lasting = [field(t("alert.field.for"), { name: "for", value: rule.for ?? "" }),
      tick(t("alert.whenAlready"), { name: "when_already", checked: Boolean(rule.when_already) })];
    return h("div", { class: "stack" },
      field(t("alert.field.note"), { name: "note", value: rule.note ?? "", maxlength: 1000, rows: 2 }),
      h("div", { class: "field-grid" },
        field(t("alert.field.priority"), { name: "priority", value: rule.priority ?? "normal",
          options: ["low", "normal", "high"].map((value) => [value, t(`alert.value.${value}`)]) }),
        this.lasting[0],
        momentField(t("alert.field.expires"), "expires", rule.expires),
        field(t("alert.field.hours"), { name: "hours", value: rule.active?.hours ?? "",
          placeholder: "08:00-22:00" })),
      this.#group("day", days.map((day) => [day, t(`day.${day}`)]), rule.active?.days, t("alert.noDay")),
      this.lasting[1],
      this.#group("channel", this.#tellers(channels), rule.channels, t("alert.noChannel")));
  }

  /** The channels that can tell, and those that the rule names: what became of one of them is said. */
  #tellers(channels) {
    const named = this.rule?.channels ?? [];
    const isOffered = ({ name, state }) => state === "usable" || named.includes(name);
    const offered = channels.filter(isOffered).map(({ name, state }) =>
      [name, state === "usable" ? name : `${name} (${t(`channel.state.${state}`)})`]);
    return named.reduce((options, name) => withValue(options, name, name), offered);
  }

  /** Boxes to tick, all of them where nothing is chosen: the API takes none for all, so none is not sent. */
  #group(name, options, chosen, fault) {
    if (!options.length) return null;
    const about = `${name}-about`;
    const boxes = options.map(([value, text]) => tick(text, { name: `${name}-${value}`,
      "aria-describedby": about, checked: !chosen?.length || chosen.includes(value) }));
    const words = h("p", { id: about, class: "field-about", role: "status" });
    this.#boxes.set(`${name}-`, { fault, words });
    return h("fieldset", {}, h("legend", {}, t(`alert.field.${name}s`)),
      h("div", { class: "row wrap" }, boxes), words);
  }

  /** Whether boxes are left without a tick; goes to the first of them. */
  #lacksTick() {
    const lacking = [...this.#boxes.values()].find(({ words }) => words.textContent);
    if (!lacking) return false;
    lacking.words.closest("details").open = true;
    lacking.words.closest("fieldset").querySelector("input").focus();
    return true;
  }

  #say() {
    if (!this.element) return;
    const values = valuesOf(this.element);
    const isAgain = values.repeat !== "once";
    this.again[0].hidden = !isAgain;
    this.again[1].hidden = !isAgain || !formOf(this.kind).has_level;
    for (const one of this.lasting) one.hidden = !formOf(this.kind).has_level;
    for (const [prefix, { fault, words }] of this.#boxes) {
      setText(words, ticked(values, prefix).length ? "" : fault);
    }
    const rule = this.#rule(values);
    setText(this.#sentence, ruleText(rule, this.portfolios));
    const { instrument } = rule;
    const currency = this.portfolios.find(({ id }) => id === values.id)?.base;
    for (const input of this.element.querySelectorAll(".field [name]")) {
      setHint(input, helpFor(input.name, values[input.name], { kind: this.kind, instrument, currency,
        zone: this.zone }));
    }
  }

  /** In what sizes are counted is told once it is known. */
  #learn(instrument) {
    if (instrument) termsOf(instrument).then((terms) => terms && this.#say());
  }

  async #save(values) {
    const rule = this.#rule(values);
    if (this.rule) await patch(`/alerts/${this.id}?version=${this.rule.version}`, rule);
    else await makeRule(this.id, rule);
  }

  /** The rule's JSON; null takes a field out of a rule that has it. */
  #rule(values) {
    const { has_instrument: hasInstrument, has_level: isLevel } = formOf(this.kind);
    const activeDays = ticked(values, "day-");
    const isAlways = !values.hours && activeDays.length === days.length;
    return {
      instrument: hasInstrument ? values.instrument : null,
      condition: condition(this.kind, values),
      repeat: values.repeat === "once" ? "once" : { cooldown: values.cooldown,
        ...(isLevel && values.hysteresis ? { hysteresis: values.hysteresis } : {}) },
      note: values.note || null,
      priority: values.priority,
      for: (isLevel && values.for) || null,
      expires: momentOf(values.expires, this.rule?.expires) || null,
      when_already: (isLevel && values.when_already) || null,
      channels: this.#channels(values),
      active: isAlways ? null : { ...(values.hours ? { hours: values.hours } : {}),
        ...(activeDays.length < days.length ? { days: activeDays } : {}), time_zone: this.zone },
    };
  }

  /** Null for all of them, those of later too; a rule that named every one goes on naming them. */
  #channels(values) {
    const chosen = ticked(values, "channel-");
    const isAll = !Object.keys(values).some((name) => name.startsWith("channel-") && !values[name]);
    return isAll && this.rule?.channels?.length !== chosen.length ? null : chosen;
  }
}

/** What is ticked of the boxes whose names begin so. */
const ticked = (values, prefix) => Object.keys(values)
  .filter((name) => name.startsWith(prefix) && values[name]).map((name) => name.slice(prefix.length));
