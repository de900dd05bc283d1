/**
 * Where alerts are told: each channel with a test button.
 * @module
 */
import { h, keepingFocus, replace } from "../dom.js";
import { locale, t } from "../i18n.js";
import { itemsOf, patch, post, remove } from "../api.js";
import { recall, recallAll } from "../last-known.js";
import { attempt } from "../toast.js";
import { explained } from "../problems.js";
import { repeatable } from "../repeatable.js";
import { confirmDialog, openDialog } from "../dialog.js";
import { field, form } from "../forms.js";
import { emptyState } from "../quote-table.js";

/** Shows the channels in an element. */
export async function showChannels(root, scope) {
  const load = async () => {
    const [channels, kinds] = await Promise.all([recallAll("/channels", { signal: scope.signal }),
      recall(`/channels/kinds?locale=${encodeURIComponent(locale)}`, { signal: scope.signal })
        .then(({ data }) => itemsOf(data), () => [])]);
    const titles = new Map(kinds.map(({ kind, title }) => [kind, title]));
    const reload = () => attempt(load);
    const forms = kinds.filter((one) => one.made_by === "person");
    // Without the kinds what is there can be seen and ended, and nothing be added.
    const add = h("button", { class: "primary", disabled: !forms.length, onclick: () => openNew(forms).then(reload) }, t("channel.new"));
    const rows = channels.map((one) => row(one, titles.get(one.kind) ?? one.kind, reload));
    keepingFocus(() => root.querySelector(".rules"), () => replace(root, channels.length
      ? [h("ul", { class: "rules" }, rows), add] : emptyState(t("channel.emptyTitle"), t("channel.empty"), add)));
  };
  await load();
}

function row(channel, title, reload) {
  const { id, name, state } = channel;
  const test = () => attempt(() => post(`/channels/${id}/test`), t("channel.tested", { name }));
  const set = (enabled) => attempt(() => patch(`/channels/${id}`, { enabled })).then(reload);
  const drop = async () => {
    if (!(await confirmDialog(t("channel.delete"), t("channel.deleteSure", { name }),
      t("action.delete")))) return;
    await attempt(() => remove(`/channels/${id}`));
    await reload();
  };
  const settings = Object.values(channel.settings ?? {}).flat().join(" ");
  return h("li", { class: "rule" }, h("div", { class: "grow" }, h("p", { class: "rule-line" },
    h("b", {}, name), " ", h("span", { class: "tag" }, title)),
    h("p", { class: "muted" }, settings)),
  h("div", { class: "row" }, h("span", { class: "tag", dataset: { state } }, t(`channel.state.${state}`)),
    state === "unverified" && h("button", { class: "small", onclick: async () => (await confirm(channel))
      && reload() }, t("channel.confirm")),
    state === "disabled" && h("button", { class: "small", onclick: () => set(true) }, t("alert.enable")),
    state === "usable" && [h("button", { class: "small", onclick: test }, t("channel.test")),
      h("button", { class: "small", onclick: () => set(false) }, t("alert.disable"))],
    h("button", { class: "small danger", onclick: drop }, t("action.delete"))));
}

/** The code of the letter that an address was sent. */
function confirm({ id, name }) {
  const told = h("p", { class: "muted", role: "status" });
  // A wrong code takes the right one away: then only another one helps.
  const sendAgain = async () => {
    try {
      await post(`/channels/${id}/confirm`);
      replace(told, t("channel.codeSent"));
    } catch (error) {
      replace(told, explained(error));
    }
  };
  return openDialog(t("channel.confirmTitle", { name }), (close) => form({
    fields: [field(t("account.code"), { name: "code", required: true, autocomplete: "one-time-code",
      inputmode: "numeric" }), told],
    submit: t("channel.confirm"),
    extra: h("button", { type: "button", onclick: sendAgain }, t("channel.sendCode")),
    run: async ({ code }) => {
      await post(`/channels/${id}/confirm`, { code });
      close(true);
    },
  }));
}

/** The form of a kind is what the server says that it asks for. */
function openNew(kinds) {
  return openDialog(t("channel.new"), (close) => {
    const special = h("div", { class: "stack" });
    const asked = (kind) => kinds.find((one) => one.kind === kind).fields.filter(({ label }) => label !== null);
    const choose = (kind) => replace(special, asked(kind).map(control));
    choose(kinds[0].kind);
    const send = repeatable();
    const content = form({
      fields: [
        field(t("channel.kind"), { name: "kind", options: kinds.map(({ kind, title }) => [kind, title]),
          onchange: (event) => choose(event.target.value) }),
        field(t("channel.name"), { name: "name", required: true, maxlength: 64 }), special,
      ],
      submit: t("channel.add"),
      run: async ({ kind, name, ...values }) => {
        // What a kind does not have is left out: then the server makes a webhook's key.
        const wish = { kind, name };
        for (const one of asked(kind)) {
          const text = values[`own-${one.name}`].trim();
          if (text) (wish[one.part] ??= {})[one.name] = one.type === "list" ? text.split(/\s*\n\s*/) : text;
        }
        const made = await send("/channels", wish);
        if (!made.key) return close();
        replace(content, h("p", {}, t("channel.key")), h("code", { class: "secret" }, made.key),
          h("div", { class: "row" }, h("button", { type: "button", class: "primary", onclick: () => close() },
            t("action.done"))));
      },
    });
    return content;
  });
}

/** One field of a kind; a list has an item a line. */
function control({ name, part, type, required, label, words }) {
  const shared = { name: `own-${name}`, required, autocomplete: "off" };
  if (type === "choice") return field(label, { ...shared, options: words.map((word) => [word, word]) });
  if (type === "list") return field(label, { ...shared, rows: 3 });
  return field(label, { ...shared, type: part === "secrets" ? "password" : "text" });
}
