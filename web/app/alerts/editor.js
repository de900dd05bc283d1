/**
 * Makes a rule, or changes one: every kind of condition, when it fires again, when it may, whom it tells.
 * @module
 */
import { h, replace, setText } from "../dom.js";
import { t } from "../i18n.js";
import { get, itemsOf, patch, post } from "../api.js";
import { openDialog } from "../dialog.js";
import { field, form, setHint, tick, valuesOf } from "../forms.js";
import * as format from "../format.js";
import { momentField, momentOf } from "../moment-field.js";
import { kinds, condition, parts, withoutInstrument, withLevel } from "./kinds.js";
import { ruleText } from "./words.js";
import { helpFor } from "./help.js";
import { termsOf } from "../units.js";
import { openSearchDialog } from "../search.js";
import { session } from "../session.js";
import { ruleID } from "./rule-id.js";

const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** Opens the editor; true when something was kept. */
export async function openEditor(rule) {
  const [channels, portfolios] = await Promise.all([list("/channels"), list("/portfolios")]);
  return await openDialog(rule ? t("alert.edit") : t("alert.new"), (close) =>
    new Editor(rule, channels, portfolios, close).element, { class: "wide" });
}

const list = (path) => get(path).then(itemsOf).catch(() => []);

class Editor {
  #special = h("div", { class: "field-grid" });
  #sentence = h("p", { class: "sentence", role: "status" });

  constructor(rule, channels, portfolios, close) {
    this.rule = rule;
    this.portfolios = portfolios;
    const known = rule ? parts(rule.condition) : { kind: "price", values: {} };
    this.values = known.values;
    this.kind = known.kind;
    this.element = form({
      class: "editor",
      fields: [
        field(t("alert.field.kind"), { name: "kind", value: known.kind,
          options: Object.keys(kinds).map((kind) => [kind, t(`alert.kind.${kind}`)]),
          onchange: (event) => this.#choose(event.target.value) }),
        this.#instrument(), this.#special, this.#repetition(),
        h("details", {}, h("summary", {}, t("alert.more")), this.#more(channels)), this.#sentence,
      ],
      submit: t("action.save"),
      run: async (values) => {
        await this.#save(values);
        close(true);
      },
    });
    this.element.addEventListener("input", () => this.#say());
    this.#choose(known.kind);
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
      placeholder: "bitmex:XBTUSD", autocomplete: "off", suffix: pick,
      onchange: (event) => this.#learn(event.target.value.trim()) });
    const input = element.querySelector("input");
    this.instrumentField = element;
    return element;
  }

  #choose(kind) {
    this.kind = kind;
    this.instrumentField.hidden = withoutInstrument.has(kind);
    replace(this.#special, kinds[kind].map((part) => {
      const value = String(this.values[part.name] ?? part.value);
      const label = t(`alert.field.${part.name}`);
      if (part.type === "choice") {
        return field(label, { name: part.name, value, options: part.options.map((option) => [option,
          part.name === "interval" ? format.duration(option) : t(`alert.value.${option || "any"}`)]) });
      }
      if (part.type === "portfolio") return field(label,
        { name: part.name, value, options: this.portfolios.map(({ id, name }) => [id, name]) });
      return field(label, { name: part.name, value, autocomplete: "off", required: !part.isOptional,
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
    const chosen = new Set(rule.channels ?? []);
    this.lasting = [field(t("alert.field.for"), { name: "for", value: rule.for ?? "" }),
      tick(t("alert.whenAlready"), { name: "when_already", checked: Boolean(rule.when_already) })];
    return h("div", { class: "stack" },
      field(t("alert.field.note"), { name: "note", value: rule.note ?? "", maxlength: 1000 }),
      h("div", { class: "field-grid" },
        field(t("alert.field.priority"), { name: "priority", value: rule.priority ?? "normal",
          options: ["low", "normal", "high"].map((value) => [value, t(`alert.value.${value}`)]) }),
        this.lasting[0],
        momentField(t("alert.field.expires"), "expires", rule.expires),
        field(t("alert.field.hours"), { name: "hours", value: rule.active?.hours ?? "",
          placeholder: "08:00-22:00" })),
      h("fieldset", {}, h("legend", {}, t("alert.field.days")),
        h("div", { class: "row wrap" }, days.map((day) =>
        tick(t(`day.${day}`), { name: `day-${day}`, checked: (rule.active?.days ?? days).includes(day) })))),
      this.lasting[1],
      channels.length > 0 && h("fieldset", {}, h("legend", {}, t("alert.field.channels")),
        h("div", { class: "row wrap" },
        channels.map(({ name }) => tick(name, { name: `channel-${name}`,
          checked: !chosen.size || chosen.has(name) })))));
  }

  #say() {
    if (!this.element) return;
    const values = valuesOf(this.element);
    const isAgain = values.repeat !== "once";
    this.again[0].hidden = !isAgain;
    this.again[1].hidden = !isAgain || !withLevel.has(this.kind);
    for (const one of this.lasting) one.hidden = !withLevel.has(this.kind);
    const rule = this.#rule(values);
    setText(this.#sentence, ruleText(rule, this.portfolios));
    const { instrument } = rule;
    const currency = this.portfolios.find(({ id }) => id === values.id)?.base;
    for (const input of this.element.querySelectorAll(".field [name]")) {
      setHint(input, helpFor(input.name, values[input.name], { kind: this.kind, instrument, currency }));
    }
  }

  /** In what sizes are counted is told once it is known. */
  #learn(instrument) {
    if (instrument) termsOf(instrument).then((terms) => terms && this.#say());
  }

  async #save(values) {
    const rule = this.#rule(values);
    if (this.rule) await patch(`/alerts/${this.rule.id}`, rule);
    else await post("/alerts", { id: ruleID(), ...rule });
  }

  /** The rule's JSON; null takes a field out of a rule that has it. */
  #rule(values) {
    const isLevel = withLevel.has(this.kind);
    const none = (value) => value || (this.rule ? null : undefined);
    const names = (prefix) => Object.keys(values).filter((name) => name.startsWith(prefix));
    const ticked = (prefix) => names(prefix).filter((name) => values[name]).map((name) => name.slice(prefix.length));
    const activeDays = ticked("day-");
    const isAlways = !values.hours && activeDays.length === days.length;
    const channels = ticked("channel-");
    const isAll = channels.length === names("channel-").length;
    const rule = {
      instrument: withoutInstrument.has(this.kind) ? none("") : values.instrument,
      condition: condition(this.kind, values),
      repeat: values.repeat === "once" ? "once" : { cooldown: values.cooldown,
        ...(isLevel && values.hysteresis ? { hysteresis: values.hysteresis } : {}) },
      note: none(values.note),
      priority: values.priority,
      for: none(isLevel ? values.for : ""),
      expires: none(momentOf(values.expires, this.rule?.expires)),
      when_already: isLevel && values.when_already ? true : none(""),
      channels: isAll ? none("") : channels,
      active: isAlways ? none("") : { ...(values.hours ? { hours: values.hours } : {}),
        ...(activeDays.length < days.length ? { days: activeDays } : {}),
          time_zone: session.settings.time_zone ?? "UTC" },
    };
    return Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined));
  }
}
