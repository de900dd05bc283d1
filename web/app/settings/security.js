/**
 * Password, passkeys, second factor, and where the user is signed in.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import * as format from "../format.js";
import { get, itemsOf, post, remove } from "../api.js";
import { attempt, toast } from "../toast.js";
import { goToApple, offersApple } from "../apple.js";
import { field, form, username } from "../forms.js";
import { newPassword } from "../account-card.js";
import { openDialog } from "../dialog.js";
import { addressForPasskeys, hasPasskeys, registerPasskey } from "../passkeys.js";
import { codeField, proofFields, proofOf } from "./proof.js";
import { nameOfBrowser } from "../push.js";
import { session, load } from "../session.js";

/** Shows it in an element. */
export async function showSecurity(root, scope) {
  const again = () => attempt(() => showSecurity(root, scope));
  const [passkeys, sessions] = await Promise.all(["/account/passkeys", "/account/sessions"].map((path) =>
    get(path, { signal: scope.signal }).then(itemsOf).catch(() => [])));
  const apple = session.user.apple || await offersApple();
  replace(root, password(), passkeyPanel(passkeys, again), totpPanel(passkeys, again), apple && applePanel(again),
    h("section", { class: "panel stack" }, h("h2", {}, t("security.sessions")),
      h("ul", { class: "rules" }, sessions.map((one) => h("li", { class: "rule" },
      h("div", { class: "grow" }, h("p", { title: one.agent }, nameOfBrowser(one.agent || one.client), " ",
        one.current && h("span", { class: "tag good" }, t("security.thisOne"))),
        h("p", { class: "muted" }, t("security.lastUsed", { age: format.age(one.last_seen) }))),
      h("button", { class: "small",
        onclick: () => attempt(() => remove(`/account/sessions/${one.id}`)).then(again) },
        t("account.signOut")))))));
}

function password() {
  const element = form({
    fields: [username(session.user.email), field(t("account.currentPassword"),
      { name: "current", type: "password", autocomplete: "current-password", required: true }),
      newPassword("new", () => session.user.email), codeField()],
    submit: t("account.setPassword"),
    run: async ({ current, new: next, code }) => {
      await post("/auth/password", { current, new: next, ...(code ? { code } : {}) });
      element.reset();
      toast(t("account.passwordChanged"), { kind: "good" });
    },
  });
  return h("section", { class: "panel stack" }, h("h2", {}, t("account.password")), element);
}

function passkeyPanel(passkeys, again) {
  const add = () => openDialog(t("security.addPasskey"), (close) => form({
    fields: [field(t("security.passkeyName"), { name: "name", required: true, maxlength: 60 }), proofFields()],
    submit: t("action.continue"),
    run: async ({ name, ...typed }) => {
      await registerPasskey(name, await proofOf(typed, passkeys));
      close();
      again();
    },
  }));
  return h("section", { class: "panel stack" }, h("h2", {}, t("security.passkeys")),
    h("p", { class: "muted" }, t("security.passkeysAbout")),
    passkeys.length > 0 && h("ul", { class: "rules" }, passkeys.map((one) => h("li", { class: "rule" },
      h("div", { class: "grow" }, one.name, " ",
      h("span", { class: "muted" }, format.when(one.created, "day"))),
        h("button", { class: "small danger",
        onclick: () => attempt(() => remove(`/account/passkeys/${one.id}`)).then(again) },
        t("action.delete"))))),
    hasPasskeys() ? h("div", { class: "row" }, h("button", { onclick: add }, t("security.addPasskey")))
      : h("p", {}, t("security.passkeysElsewhere"), " ", addressForPasskeys()
        && h("a", { href: `${addressForPasskeys()}/#/settings/security` }, addressForPasskeys())));
}

function totpPanel(passkeys, again) {
  const isOn = Boolean(session.user.second_factor);
  const reload = async () => {
    await load();
    again();
  };
  const begin = () => attempt(async () => {
    const made = await openDialog(t("security.totp"), (close) => form({
      fields: [h("p", { class: "muted" }, t("security.totpAbout")), proofFields()],
      submit: t("action.continue"),
      run: async (typed) => close(await post("/account/totp", await proofOf(typed, passkeys))),
    }));
    if (made && await confirmTotp(made.secret, made.uri)) await reload();
  });
  const end = () => openDialog(t("security.totpEnd"), (close) => form({
    fields: proofFields(),
    submit: t("security.totpEnd"),
    run: async (typed) => {
      await remove("/account/totp", await proofOf(typed, passkeys));
      close();
      await reload();
    },
  }));
  return h("section", { class: "panel stack" }, h("h2", {}, t("security.totp")),
    h("p", { class: "muted" }, t("security.totpAbout")),
    h("div", { class: "row" }, isOn ? h("button", { onclick: end }, t("security.totpEnd"))
      : h("button", { onclick: begin }, t("security.totpBegin"))));
}

function applePanel(again) {
  const end = () => attempt(async () => {
    await remove("/account/apple");
    await load();
    again();
  });
  return h("section", { class: "panel stack" }, h("h2", {}, t("apple.signIn")),
    h("p", { class: "muted" }, t("apple.about")),
    h("div", { class: "row" }, session.user.apple ? h("button", { class: "danger", onclick: end }, t("apple.unlink"))
      : h("button", { onclick: () => attempt(() => goToApple({ isLink: true })) }, t("apple.link"))));
}

/** Shows the secret, asks for a code of it, then shows the recovery codes; true when it is on. */
async function confirmTotp(secret, uri) {
  // However the recovery codes are left: it is on already.
  let isOn = false;
  await openDialog(t("security.totp"), (close) => {
    const content = h("div", { class: "stack" }, h("p", {}, t("security.totpSecret")),
      h("code", { class: "secret" }, secret),
      uri && h("a", { class: "button small", href: uri }, t("security.totpOpen")),
      form({
        fields: field(t("account.code"), { name: "code", inputmode: "numeric", autocomplete: "one-time-code",
          required: true }),
        submit: t("action.continue"),
        run: async ({ code }) => {
          const { recovery_codes: codes } = await post("/account/totp/confirm", { code });
          isOn = true;
          replace(content, h("p", {}, t("security.recovery")),
            h("pre", { class: "secret" }, codes.join("\n")),
            h("button", { class: "primary", onclick: () => close() }, t("action.done")));
        },
      }));
    return content;
  });
  return isOn;
}
