/**
 * Where alerts are told: each channel with a test button.
 * @module
 */
import { h, replace } from "../dom.js";
import { t, tOr } from "../i18n.js";
import { post, remove } from "../api.js";
import { recallAll } from "../last-known.js";
import { attempt, toast } from "../toast.js";
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
    const add = h("button", { class: "primary", onclick: async () => (await openNew()) && attempt(load) },
      t("channel.new"));
    replace(root, channels.length ? [h("ul", { class: "rules" }, channels.map((one) => row(one, () => attempt(load)))), add]
      : emptyState(t("channel.emptyTitle"), t("channel.empty"), add));
  };
  await load();
}

function row(channel, reload) {
  const { id, name, kind, state } = channel;
  const test = () => attempt(() => post(`/channels/${id}/test`), t("channel.tested", { name }));
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
    h("button", { class: "small", onclick: test }, t("channel.test")),
    h("button", { class: "small danger", onclick: drop }, t("action.delete"))));
}

/** The code of the letter that an address was sent. */
function confirm({ id, name }) {
  return openDialog(t("channel.confirmTitle", { name }), (close) => form({
    fields: field(t("account.code"), { name: "code", required: true, autocomplete: "one-time-code",
      inputmode: "numeric" }),
    submit: t("channel.confirm"),
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
    return form({
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
          const given = names.filter((one) => values[`own-${one}`]).map((one) => [one, values[`own-${one}`]]);
          return given.length ? { [part]: Object.fromEntries(given) } : {};
        };
        const { settings, secrets } = kinds[kind];
        const made = await post("/channels", { kind, name, ...own("settings", settings), ...own("secrets", secrets) });
        if (made?.secret ?? made?.key) toast(t("channel.key", { key: made.secret ?? made.key }),
          { stays: true });
        close(true);
      },
    });
  });
}
