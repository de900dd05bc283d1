/**
 * For operators: feature flags, each for a share of all users, and for single users whatever the share.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import * as format from "../format.js";
import { get, getAll, itemsOf, put } from "../api.js";
import { field, form } from "../forms.js";
import { openDialog, confirmDialog } from "../dialog.js";
import { attempt, toast } from "../toast.js";
import { emptyState } from "../quote-table.js";

/** Shows it in an element. */
export async function showFlags(root, scope) {
  const options = { signal: scope.signal };
  const [flags, users] = await Promise.all([get("/operator/flags", options).then(itemsOf),
    getAll("/operator/users", options)]);
  new Flags(root, flags, users).show();
}

class Flags {
  constructor(root, flags, users) {
    this.root = root;
    this.flags = flags;
    this.users = users;
    this.names = new Map(users.map(({ id, email }) => [id, email]));
  }

  show() {
    const add = h("button", { class: "primary", onclick: () => this.edit() }, t("flags.new"));
    replace(this.root, this.flags.length
      ? [h("section", { class: "panel stack" }, h("h2", {}, t("settings.section.flags")),
        h("p", { class: "muted" }, t("flags.about")), h("div", { class: "row" }, add)),
      h("ul", { class: "rules" }, this.flags.map((flag) => this.row(flag)))]
      : emptyState(t("flags.emptyTitle"), t("flags.about"), add));
  }

  row(flag) {
    const people = Object.entries(flag.users ?? {}).map(([id, isOn]) =>
      t(isOn ? "flags.onFor" : "flags.offFor", { name: this.names.get(id) ?? id }));
    return h("li", { class: "rule" },
      h("div", { class: "grow" }, h("p", { class: "rule-line" }, h("b", {}, flag.name), " ",
        h("span", { class: "tag" }, t("flags.share", { percent: format.portion(String(flag.percentage)) }))),
      h("p", { class: "muted" }, [flag.note, ...people].filter(Boolean).join(" · "))),
      h("div", { class: "row" },
        h("button", { class: "small", onclick: () => this.edit(flag) }, t("action.edit")),
        h("button", { class: "small danger", onclick: () => this.drop(flag) }, t("action.delete"))));
  }

  async edit(flag) {
    const kept = await openDialog(flag ? t("flags.edit") : t("flags.new"), (close) => form({
      fields: [
        field(t("flags.name"), { name: "name", value: flag?.name ?? "", required: true, maxlength: 64,
          autocomplete: "off", hint: t("flags.nameHint"), readonly: Boolean(flag) }),
        field(t("flags.note"), { name: "note", value: flag?.note ?? "", maxlength: 200 }),
        field(t("flags.percentage"), { name: "percentage", type: "number", min: 0, max: 100, step: 1, required: true,
          value: String(flag?.percentage ?? 0) }),
        this.choices("on", t("flags.always"), flag, true),
        this.choices("off", t("flags.never"), flag, false),
      ],
      submit: t("action.save"),
      run: async (values) => {
        const chosen = (name, isOn) => values[name].split(/[\s,]+/).filter(Boolean)
          .map((email) => [this.users.find((user) => user.email === email)?.id ?? email, isOn]);
        const next = { name: values.name, note: values.note, percentage: Number(values.percentage),
          users: Object.fromEntries([...chosen("on", true), ...chosen("off", false)]) };
        await this.keep([...this.flags.filter((one) => one !== flag), next]);
        close(true);
      },
    }));
    if (kept) toast(t("settings.kept"), { kind: "good" });
  }

  choices(name, label, flag, isOn) {
    const chosen = Object.entries(flag?.users ?? {}).filter(([, value]) => value === isOn)
      .map(([id]) => this.names.get(id) ?? id);
    return field(label, { name, value: chosen.join(", "), autocomplete: "off", hint: t("flags.peopleHint") });
  }

  async drop(flag) {
    const isSure = await confirmDialog(t("flags.delete"), t("flags.deleteSure", { name: flag.name }),
      t("action.delete"));
    if (isSure) await attempt(() => this.keep(this.flags.filter((one) => one !== flag)));
  }

  /** All of them are kept at once: who changes one, says what the others are. */
  async keep(flags) {
    const items = flags.sort((a, b) => a.name.localeCompare(b.name));
    this.flags = itemsOf(await put("/operator/flags", { items }));
    this.show();
  }
}
