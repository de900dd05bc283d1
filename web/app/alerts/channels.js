/**
 * Where alerts are told: each channel with a test button.
 * @module
 */
import { h, keepingFocus, replace } from "../dom.js";
import { t, tOr } from "../i18n.js";
import { patch, post, remove } from "../api.js";
import { recallAll } from "../last-known.js";
import { attempt } from "../toast.js";
import { explained } from "../problems.js";
import { repeatable } from "../repeatable.js";
import { confirmDialog, openDialog } from "../dialog.js";
import { field, form } from "../forms.js";
import { emptyState } from "../quote-table.js";

/** What each kind asks for: settings, and secrets that are never shown again. */
const kinds = {
  email: { settings: ["to"] },
  webhook: { settings: ["url"] },
  telegram: { settings: ["chat"], secrets: ["token"] },
  ntfy: { settings: ["server", "topic"], secrets: ["token"], optional: ["token"] },
  slack: { secrets: ["url"] },
  discord: { secrets: ["url"] },
};

/** Shows the channels in an element. */
export async function showChannels(root, scope) {
  const load = async () => {
    const channels = await recallAll("/channels", { signal: scope.signal });
    const reload = () => attempt(load);
    const add = h("button", { class: "primary", onclick: () => openNew().then(reload) }, t("channel.new"));
    const rows = channels.map((one) => row(one, reload));
    keepingFocus(() => root.querySelector(".rules"), () => replace(root, channels.length
      ? [h("ul", { class: "rules" }, rows), add] : emptyState(t("channel.emptyTitle"), t("channel.empty"), add)));
  };
  await load();
}

function row(channel, reload) {
  const { id, name, kind, state } = channel;
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
    h("b", {}, name), " ", h("span", { class: "tag" }, tOr(`channel.kind.${kind}`, kind))),
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

function openNew() {
  return openDialog(t("channel.new"), (close) => {
    const special = h("div", { class: "stack" });
    const choose = (kind) => {
      const { settings = [], secrets = [], optional = [] } = kinds[kind];
      replace(special, [...settings, ...secrets].map((name) => field(t(`channel.field.${name}`), {
        name: `own-${name}`, required: !optional.includes(name), autocomplete: "off",
        type: secrets.includes(name) ? "password" : "text" })));
    };
    choose("email");
    const send = repeatable();
    const content = form({
      fields: [
        field(t("channel.kind"), { name: "kind", options: Object.keys(kinds).map((kind) => [kind,
          t(`channel.kind.${kind}`)]),
          onchange: (event) => choose(event.target.value) }),
        field(t("channel.name"), { name: "name", required: true, maxlength: 64 }), special,
      ],
      submit: t("channel.add"),
      run: async ({ kind, name, ...values }) => {
        // What a kind does not have is left out: then the server makes a webhook's key.
        const own = (part, names = []) => {
          const given = names.map((one) => [one, values[`own-${one}`].trim()]).filter(([, value]) => value);
          return given.length ? { [part]: Object.fromEntries(given) } : {};
        };
        const { settings, secrets } = kinds[kind];
        const wish = { kind, name, ...own("settings", settings), ...own("secrets", secrets) };
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
