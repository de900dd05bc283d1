/**
 * Sign-in by password, with a second factor where one is set, or by passkey.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { post, ApiError } from "../api.js";
import { field, form, refuse } from "../forms.js";
import { afterSignIn, card } from "../account-card.js";
import { attempt } from "../toast.js";
import { goToApple, offersApple } from "../apple.js";
import { hasPasskeys, signInByPasskey } from "../passkeys.js";

/** Shows it. */
export async function show(root, { query }) {
  const next = query.get("next") ?? "/";
  const code = field(t("account.code"), { name: "code", inputmode: "numeric", autocomplete: "one-time-code",
    hint: t("account.codeHint"), maxlength: 20 });
  code.hidden = true;
  const element = form({
    fields: [
      field(t("account.email"), { name: "email", type: "email", autocomplete: "username webauthn",
        required: true }),
      field(t("account.password"), { name: "password", type: "password", autocomplete: "current-password",
        required: true }),
      code,
    ],
    submit: t("action.signIn"),
    extra: h("a", { href: "/#/reset" }, t("account.forgot")),
    run: async ({ email, password, code: digits }) => {
      try {
        await post("/auth/sign-in", { email, password, ...(digits ? { code: digits } : {}) });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "second-factor-required") throw error;
        code.hidden = false;
        return refuse(code.querySelector("input"), t("account.codeHint"));
      }
      await afterSignIn(next);
    },
  });
  const passkey = hasPasskeys() && h("button", { class: "by-passkey", onclick: () => attempt(async () => {
    await signInByPasskey();
    await afterSignIn(next);
  }) }, t("account.byPasskey"));
  const apple = await offersApple()
    && h("button", { class: "by-apple", onclick: () => attempt(() => goToApple({ next })) }, t("apple.signIn"));
  replace(root, card(t("account.signIn"), element, passkey, apple,
    h("p", {}, t("account.noAccount"), " ", h("a", { href: "/#/sign-up" }, t("account.signUp")))));
  return t("account.signIn");
}
