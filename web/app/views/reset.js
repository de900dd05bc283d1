/**
 * A forgotten password: asks for a letter, and with the token of that letter sets another. The token of a sign-up's
 * letter is used here as well.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { post } from "../api.js";
import { field, form } from "../forms.js";
import { card, newPassword, afterSignIn } from "../account-card.js";

/** Shows it. */
export async function show(root, { parts: [what], query }) {
  const token = query.get("token");
  if (what === "verify" && token) return await verify(root, token);
  if (token) return choose(root, token);
  const element = form({
    fields: field(t("account.email"), { name: "email", type: "email", autocomplete: "username",
      required: true }),
    submit: t("account.sendLetter"),
    run: async ({ email }) => {
      await post("/auth/reset", { email });
      replace(root, card(t("account.reset"), h("p", { role: "status" }, t("account.resetSent", { email }))));
    },
  });
  replace(root, card(t("account.reset"), h("p", { class: "muted" }, t("account.resetAbout")), element));
  return t("account.reset");
}

function choose(root, token) {
  const element = form({
    fields: newPassword(),
    submit: t("account.setPassword"),
    run: async ({ password }) => {
      await post("/auth/reset/confirm", { token, password });
      replace(root, card(t("account.reset"), h("p", { role: "status" }, t("account.resetDone")),
        h("a", { class: "button primary", href: "/#/sign-in" }, t("action.signIn"))));
    },
  });
  replace(root, card(t("account.reset"), element));
  return t("account.reset");
}

async function verify(root, token) {
  await post("/auth/verify", { token });
  replace(root, card(t("account.verifyTitle"), h("p", { role: "status" }, t("account.verified")),
    h("button", { class: "primary", onclick: () => afterSignIn("/") }, t("action.continue"))));
  return t("account.verifyTitle");
}
